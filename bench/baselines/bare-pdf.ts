import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pdfmake from 'pdfmake'
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { PurchaseOrderDocument } from '../../shared/schemas/order-document.ts'

type VirtualFiles = { virtualfs: { writeFileSync(name: string, file: Buffer): void } }

const fontFiles = {
  'bare-regular.ttf': '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf',
  'bare-bold.ttf': '@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf',
}
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'America/New_York' })

/** Loads the font files into memory, under names that no other code uses. */
export function prepareBarePdf(): void {
  const { virtualfs } = pdfmake as typeof pdfmake & VirtualFiles
  for (const [name, file] of Object.entries(fontFiles)) {
    virtualfs.writeFileSync(name, readFileSync(fileURLToPath(import.meta.resolve(file))))
  }
}

/**
 * The content of our document as the manual of pdfmake would have it: the same fonts, Latin letters only, layout
 * left to pdfmake.
 */
export async function renderBarePdf(order: PurchaseOrderDocument): Promise<Uint8Array> {
  pdfmake.setFonts({ sans: { normal: 'bare-regular.ttf', bold: 'bare-bold.ttf' } })
  pdfmake.setLocalAccessPolicy(() => false)
  pdfmake.setUrlAccessPolicy(() => false)
  return pdfmake.createPdf(bareDefinition(order)).getBuffer()
}

function bareDefinition(order: PurchaseOrderDocument): TDocumentDefinitions {
  const { shop, supplier, lines } = order
  const detail = (label: string, value: string): Content => ({
    columns: [{ text: label, width: 82, color: '#52606d' }, value],
  })
  const sum = (label: string, amount: number): Content => ({
    columns: [
      '',
      { text: label, width: 120 },
      { text: money.format(amount), width: 120, alignment: 'right' },
    ],
    margin: [0, 3, 0, 3],
  })
  return {
    pageSize: 'A4',
    pageMargins: [40, 40, 40, 56],
    defaultStyle: { font: 'sans', fontSize: 9 },
    content: [
      {
        columns: [
          [{ text: shop.name, fontSize: 12, bold: true }, shop.address, shop.email, shop.phone],
          { text: `Purchase order ${order.poNumber}`, fontSize: 17, bold: true, alignment: 'right' },
        ],
        margin: [0, 0, 0, 28],
      },
      {
        columns: [
          [
            { text: 'SUPPLIER', fontSize: 8, bold: true, color: '#52606d' },
            { text: supplier.name, fontSize: 12, bold: true },
            `Attn: ${supplier.contactName}`,
            supplier.address,
            supplier.email,
            supplier.phone,
          ],
          [
            detail('Order date', day.format(new Date(order.orderedAt))),
            detail('Expected date', day.format(new Date(order.expectedAt ?? order.orderedAt))),
            detail('Payment terms', supplier.paymentTerms),
            detail('Currency', order.currency),
          ],
        ],
      },
      {
        margin: [0, 18, 0, 8],
        layout: 'lightHorizontalLines',
        table: {
          headerRows: 1,
          dontBreakRows: true,
          widths: ['auto', '*', 'auto', 'auto', 'auto'],
          body: [
            ['SKU', 'Title', 'Quantity', 'Unit cost', 'Line total'].map((text) => ({ text, bold: true })),
            ...lines.map(({ sku, title, quantity, costPrice, lineTotal }) => [
              sku,
              title,
              ...[String(quantity), money.format(costPrice), money.format(lineTotal)].map(
                (text): Content => ({ text, alignment: 'right' }),
              ),
            ]),
          ],
        },
      },
      sum('Subtotal', order.subtotal),
      sum('Tax', order.tax),
      sum('Total', order.total),
      { text: 'NOTES', fontSize: 8, bold: true, color: '#52606d', margin: [0, 18, 0, 0] },
      order.supplierNotes,
    ],
    footer: (page, pages) => ({
      columns: [order.poNumber, { text: `Page ${page} of ${pages}`, alignment: 'right' }],
      fontSize: 8,
      margin: [40, 14, 40, 0],
    }),
  }
}
