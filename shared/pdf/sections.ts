import type { Content, ContentColumns } from 'pdfmake/interfaces.js'
import type { Formats } from '../format.ts'
import type { Party, PurchaseOrderDocument } from '../schemas/order-document.ts'
import { oneLine } from './text.ts'
import { drawLines, type TextSetter, type TextStyle } from './text-lines.ts'

export const margin = 40
const pageWidth = 595.28
export const contentWidth = pageWidth - 2 * margin
const columnGap = 24
const columnWidth = (contentWidth - columnGap) / 2
const labelWidth = 82

const muted = '#52606d'
const body: TextStyle = { size: 9 }
const label: TextStyle = { size: 9, color: muted }
const heading: TextStyle = { size: 8, bold: true, color: muted }
const name: TextStyle = { size: 12, bold: true }

export function titleBlock(setter: TextSetter, number: string, mark: string | undefined): Content {
  const title: TextStyle = { size: 17, bold: true, align: 'right' }
  const badge: TextStyle = { size: 12, bold: true, align: 'right', color: '#b42318' }
  const lines = [setter.set(`Purchase order ${number}`, columnWidth, title)]
  if (mark) lines.push(setter.set(mark, columnWidth, badge))
  return { stack: lines }
}

export function supplierBlock(setter: TextSetter, supplier: PurchaseOrderDocument['supplier']): Content {
  return {
    stack: [setter.set('SUPPLIER', columnWidth, heading), party(setter, supplier, supplier.contactName)],
  }
}

/** Where the goods and the invoice go. Without a place of delivery, the billing address takes its column. */
export function delivery(setter: TextSetter, { shipTo, shop }: PurchaseOrderDocument): Content {
  const billTo = titledParty(setter, 'BILL TO', { ...shop, email: '' })
  const columns: [Content, Content] = shipTo
    ? [titledParty(setter, 'SHIP TO', shipTo), billTo]
    : [billTo, { text: '' }]
  return { ...twoColumns(...columns), margin: [0, 14, 0, 0] }
}

const titledParty = (setter: TextSetter, title: string, block: Party): Content => ({
  stack: [setter.set(title, columnWidth, heading), party(setter, block)],
})

export function party(
  setter: TextSetter,
  { name: partyName, address, email, phone }: Party,
  contactName = '',
): Content {
  const rows = [address, email, phone].filter((row) => row.trim() !== '')
  if (contactName.trim() !== '') rows.unshift(`Attn: ${oneLine(contactName)}`)
  const lines = rows.map((row) => setter.set(row.trim(), columnWidth, body))
  if (partyName.trim() !== '') lines.unshift(setter.set(oneLine(partyName), columnWidth, name))
  return { stack: lines }
}

export function details(setter: TextSetter, formats: Formats, order: PurchaseOrderDocument): Content {
  const rows: [string, string][] = [['Order date', formats.date(order.orderedAt)]]
  if (order.expectedAt) rows.push(['Expected date', formats.date(order.expectedAt)])
  if (order.supplier.paymentTerms.trim() !== '') rows.push(['Payment terms', order.supplier.paymentTerms])
  rows.push(['Currency', order.currency])
  return {
    stack: rows.map(([title, value]) => ({
      columns: [
        { width: labelWidth, stack: [setter.set(title, labelWidth, label)] },
        { width: '*', stack: [setter.set(oneLine(value), columnWidth - labelWidth, body)] },
      ],
      columnGap: 0,
      margin: [0, 0, 0, 2],
    })),
  }
}

export function totals(setter: TextSetter, formats: Formats, order: PurchaseOrderDocument): Content {
  const width = columnWidth / 2
  const row = (title: string, amount: number, style: TextStyle): Content => ({
    columns: [
      { width: '*', text: '' },
      { width, stack: [setter.set(title, width, { ...style, align: 'left' })] },
      // The right margin equals the cell padding of the table above, so that the amounts align.
      {
        width,
        stack: [setter.set(formats.money(amount), width - 4, { ...style, align: 'right' })],
        margin: [0, 0, 4, 0],
      },
    ],
    columnGap: 0,
    margin: [0, 3, 0, 3],
  })
  return {
    unbreakable: true,
    margin: [0, 8, 0, 0],
    stack: [
      row('Subtotal', order.subtotal, body),
      ...(order.tax === 0 ? [] : [row('Tax', order.tax, body)]),
      rule('#9aa5b1', 0.5, [columnWidth + columnGap, 2, 0, 2]),
      row('Total', order.total, { size: 11, bold: true }),
    ],
  }
}

export function notes(setter: TextSetter, text: string): Content[] {
  if (text.trim() === '') return []
  const lines = setter.set(text.trim(), contentWidth, { ...body, align: 'auto' })
  return [{ stack: [setter.set('NOTES', contentWidth, heading), lines], margin: [0, 18, 0, 0] }]
}

export function twoColumns(left: Content, right: Content): ContentColumns {
  return {
    columns: [
      { width: columnWidth, stack: [left] },
      { width: columnWidth, stack: [right] },
    ],
    columnGap,
  }
}

export function rule(color: string, thickness: number, around: [number, number, number, number]): Content {
  const width = contentWidth - around[0] - around[2]
  return {
    canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: thickness, lineColor: color }],
    margin: around,
  }
}

export function footer(setter: TextSetter, poNumber: string, page: number, pages: number): Content {
  const small: TextStyle = { size: 8, color: muted }
  const [first = { runs: [], rtl: false }] = setter.wrap(poNumber, columnWidth, small)
  return {
    stack: [
      rule('#cbd2d9', 0.5, [0, 0, 0, 6]),
      twoColumns(
        drawLines([first], small),
        setter.set(`Page ${page} of ${pages}`, columnWidth, { ...small, align: 'right' }),
      ),
    ],
    margin: [margin, 14, margin, 0],
  }
}
