import t from 'tap'
import { renderDefinition } from '../../../shared/pdf/render-thread.ts'
import type { PurchaseOrderDocument } from '../../../shared/schemas/order-document.ts'
import { type Line, makeLine, makeOrder } from './orders.ts'
import { readPdf } from './read-pdf.ts'

const render = async (order: Partial<PurchaseOrderDocument>) =>
  readPdf(await renderDefinition(makeOrder(order)))

const full: Partial<Line> = {
  ...{ supplierSku: 'ACM-77', packSize: 6, quantity: 24, discountPercent: 7.5, taxRate: 19 },
  ...{ costPrice: 2.5, lineTotal: 55.5 },
}

t.test('a line shows the code of the supplier, packs × size = pieces, discount and tax', async (t) => {
  const { text } = await render({
    lines: [makeLine(full)],
    discount: 5,
    subtotal: 55.5,
    tax: 10.55,
    total: 61.05,
  })
  const rows = text.split('\n').join('|')
  t.match(rows, 'No.|Your|SKU|SKU|Title|Packs|Quantity|')
  t.match(rows, '|1|ACM-77|TEE-BLK-L|Cotton T-shirt|4 × 6|24|$2.50|7.5%|19%|$55.50|')
  t.match(rows, 'Total pieces|24|Subtotal|$55.50|Discount|-$5.00|Tax|$10.55|Total|$61.05')
})

t.test('pieces beyond whole packs are shown, and a line without packs has none', async (t) => {
  const lines = [{ packSize: 12, quantity: 26 }, { packSize: 12, quantity: 5 }, { quantity: 7 }].map(makeLine)
  const { text } = await render({ lines })
  const rows = text.split('\n').join('|')
  t.match(rows, 'Cotton T-shirt|2 × 12 + 2|26|')
  t.match(rows, 'Cotton T-shirt|5|5|')
  t.match(rows, 'Cotton T-shirt|7|$4.1234|')
  t.match(rows, 'Total pieces|38|')
})

t.test('a column that is empty in every line is left out', async (t) => {
  const headers = async (lines: Line[]) => {
    const { text } = await render({ lines })
    return ['Your SKU', 'Packs', 'Discount', 'Tax'].filter((title) =>
      text.split('No.\n')[1]?.includes(`${title}\n`),
    )
  }
  t.strictSame(await headers([makeLine()]), ['Tax'], 'the tax of the order is below the table')
  t.strictSame(await headers([makeLine(), makeLine({ supplierSku: 'A' })]), ['Your SKU', 'Tax'])
  t.strictSame(await headers([makeLine(), makeLine({ packSize: 2 })]), ['Packs', 'Tax'])
  t.strictSame(await headers([makeLine({ discountPercent: 1 })]), ['Discount', 'Tax'])
})

t.test('revision, references, account number and tax ids are shown when there are any', async (t) => {
  const { shop, supplier } = makeOrder()
  const { text } = await render({
    ...{ revision: 2, reference: 'Spring', supplierReference: 'Q-1077' },
    shop: { ...shop, taxId: 'GB 999' },
    supplier: { ...supplier, accountNumber: 'K-20931', taxId: 'DE 123' },
  })
  const rows = text.split('\n').join('|')
  t.match(rows, 'Purchase order PO-00012|Revision 2|SUPPLIER')
  t.match(rows, '|+49 30 1234567|Tax ID: DE 123|')
  t.match(rows, 'Our reference|Spring|Your reference|Q-1077|Account number|K-20931|Payment terms')
  t.match(rows, /BILL TO\|.*\|Tax ID: GB 999\|/)
  t.notMatch((await render({ revision: 0, reference: '', supplierReference: '' })).text, /Revision|reference/)
})

t.test('amounts have the decimals of the currency', async (t) => {
  const amounts = async (order: Partial<PurchaseOrderDocument>) =>
    (await render(order)).text.split('\n').at(-5)
  t.equal(await amounts({ currency: 'JPY', total: 1234 }), '¥1,234')
  t.equal(await amounts({ currency: 'KWD', total: 1234.567 }), 'KWD 1,234.567')
  t.equal(await amounts({ currency: 'CNY', total: 1234.5 }), 'CN¥1,234.50')
})

t.test('a PDF is in the language of the order', async (t) => {
  for (const [language, expected] of [
    [
      'de-DE',
      [
        'Bestellung PO-00012',
        'LIEFERANT',
        '9. März 2025',
        'Ihre Art.-Nr.',
        '4 × 6',
        '7,5 %',
        '55,50 €',
        'Seite 1 von 1',
      ],
    ],
    ['fr-FR', ['Bon de commande PO-00012', 'FOURNISSEUR', 'Votre réf.', 'Désignation', 'Page 1 sur 1']],
    ['es-ES', ['Pedido de compra PO-00012', 'PROVEEDOR', 'Descripción', 'Página 1 de 1']],
    ['it-IT', ['Ordine d’acquisto PO-00012', 'FORNITORE', 'Partita IVA: X-1', 'Pagina 1 di 1']],
    ['nl-NL', ['Inkooporder PO-00012', 'LEVERANCIER', 'Omschrijving', 'Pagina 1 van 1']],
    ['pt-PT', ['Nota de encomenda PO-00012', 'FORNECEDOR', 'Seu código', 'Página 1 de 1']],
  ] as const) {
    const { text, missingGlyphs } = await render({
      ...{ language, locale: language, currency: 'EUR', lines: [makeLine(full)] },
      supplier: { ...makeOrder().supplier, taxId: 'X-1' },
    })
    t.equal(missingGlyphs, 0)
    for (const words of expected)
      t.ok(text.replaceAll('\n', ' ').includes(words.normalize('NFKC')), `${language}: ${words}`)
  }
})

t.test(
  'with every column, long texts stay within their columns, and 500 lines keep their order',
  async (t) => {
    const lines = Array.from({ length: 500 }, (_, i) =>
      makeLine({
        ...full,
        ...(i % 50 === 0 && {
          title: 'Longword'.repeat(20),
          sku: 'S'.repeat(60),
          supplierSku: 'Y'.repeat(60),
        }),
        ...(i % 70 === 0 && {
          quantity: 999_999_999,
          costPrice: 98_765_432.1234,
          lineTotal: 1_234_567_890_123.45,
        }),
      }),
    )
    for (const language of ['en-US', 'de-DE']) {
      const { pages } = await render({ lines, language, locale: language, currency: 'KWD' })
      const numbers: string[] = []
      for (const { items, width } of pages) {
        const titles = items.filter((item) => /^(No\.|Pos\.|Nr\.)$/.test(item.text))
        const numberEnd = (titles[0]?.x ?? 0) + (titles[0]?.width ?? 0)
        for (const { text, x, width: itemWidth } of items) {
          if (x < 39.5 || x + itemWidth > width - 39.5) t.fail(`${text} leaves the page`)
          if (/^[\d.,]+$/.test(text) && Math.abs(x + itemWidth - numberEnd) < 1) numbers.push(text)
        }
      }
      t.strictSame(
        numbers,
        lines.map((_line, i) => String(i + 1)),
      )
    }
  },
)
