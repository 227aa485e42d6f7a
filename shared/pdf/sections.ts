import type { Content, ContentColumns } from 'pdfmake/interfaces.js'
import type { Formats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { Party, PurchaseOrderDocument } from '../schemas/order-document.ts'
import type { Words } from '../words/words.ts'
import { drawLines, type TextSetter, type TextStyle } from './text-lines.ts'

export const margin = 40
const pageWidth = 595.28
export const contentWidth = pageWidth - 2 * margin
const columnGap = 24
const columnWidth = (contentWidth - columnGap) / 2
const labelWidth = 104

const muted = '#52606d'
const body: TextStyle = { size: 9 }
const label: TextStyle = { size: 9, color: muted }
const heading: TextStyle = { size: 8, bold: true, color: muted }
const name: TextStyle = { size: 12, bold: true }

export function titleBlock(
  setter: TextSetter,
  words: Words,
  { poNumber, revision = 0 }: PurchaseOrderDocument,
  mark: string | undefined,
): Content {
  const second = revision > 0 ? `${words.revision} ${revision}` : undefined
  return titleLines(setter, `${words.purchaseOrder} ${oneLine(poNumber)}`, { second, mark })
}

/** The name of a document, a second line, and in red what it is not, such as a draft. */
export function titleLines(
  setter: TextSetter,
  title: string,
  { second, mark }: { second?: string | undefined; mark?: string | undefined },
): Content {
  const large: TextStyle = { size: 17, bold: true, align: 'right' }
  const small: TextStyle = { size: 12, bold: true, align: 'right' }
  const lines = [setter.set(title, columnWidth, large)]
  if (second) lines.push(setter.set(second, columnWidth, small))
  if (mark) lines.push(setter.set(mark, columnWidth, { ...small, color: '#b42318' }))
  return { stack: lines }
}

export function supplierBlock(
  setter: TextSetter,
  words: Words,
  supplier: PurchaseOrderDocument['supplier'],
): Content {
  const rows = {
    first: labelled(words.attention, supplier.contactName, ' '),
    last: labelled(words.taxId, supplier.taxId),
  }
  return { stack: [setter.set(words.supplier, columnWidth, heading), party(setter, supplier, rows)] }
}

/** Where the goods and the invoice go. Without a place of delivery, the billing address takes its column. */
export function delivery(setter: TextSetter, words: Words, { shipTo, shop }: PurchaseOrderDocument): Content {
  const taxId = { last: labelled(words.taxId, shop.taxId) }
  const billTo = titledParty(setter, words.billTo, { ...shop, email: '' }, taxId)
  const columns: [Content, Content] = shipTo
    ? [titledParty(setter, words.shipTo, shipTo), billTo]
    : [billTo, { text: '' }]
  return { ...twoColumns(...columns), margin: [0, 14, 0, 0] }
}

/** Rows before and after those of a party; an empty one is left out. */
type ExtraRows = { first?: string; last?: string }

const titledParty = (setter: TextSetter, title: string, block: Party, rows?: ExtraRows): Content => ({
  stack: [setter.set(title, columnWidth, heading), party(setter, block, rows)],
})

const labelled = (title: string, value = '', separator = ': ') =>
  value.trim() === '' ? '' : `${title}${separator}${oneLine(value)}`

export function party(
  setter: TextSetter,
  { name: partyName, address, email, phone }: Party,
  { first = '', last = '' }: ExtraRows = {},
): Content {
  const rows = [first, address, email, phone, last].filter((row) => row.trim() !== '')
  const lines = rows.map((row) => setter.set(row.trim(), columnWidth, body))
  if (partyName.trim() !== '') lines.unshift(setter.set(oneLine(partyName), columnWidth, name))
  return { stack: lines }
}

export function details(
  setter: TextSetter,
  words: Words,
  formats: Formats,
  order: PurchaseOrderDocument,
): Content {
  const { supplier, expectedAt } = order
  const given: [string, string | undefined][] = [
    [words.orderDate, formats.date(order.orderedAt)],
    [words.expectedDate, expectedAt ? formats.date(expectedAt) : ''],
    [words.reference, order.reference],
    [words.supplierReference, order.supplierReference],
    [words.accountNumber, supplier.accountNumber],
    [words.paymentTerms, supplier.paymentTerms],
    [words.currency, order.currency],
  ]
  return factRows(setter, given)
}

/** Labels with their values; an empty value is left out. */
export function factRows(setter: TextSetter, given: readonly [string, string | undefined][]): Content {
  const rows = given.flatMap(([title, value = '']): [string, string][] =>
    value.trim() === '' ? [] : [[title, value]],
  )
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

export function totals(
  setter: TextSetter,
  words: Words,
  formats: Formats,
  order: PurchaseOrderDocument,
): Content {
  const { discount = 0, lines } = order
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const width = columnWidth / 2
  const row = (title: string, value: string, style: TextStyle): Content => ({
    columns: [
      { width: '*', text: '' },
      { width, stack: [setter.set(title, width, { ...style, align: 'left' })] },
      // The right margin equals the cell padding of the table above, so that the amounts align.
      {
        width,
        stack: [setter.set(value, width - 4, { ...style, align: 'right' })],
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
      row(words.pieces, formats.quantity(pieces), body),
      row(words.subtotal, formats.money(order.subtotal), body),
      ...(discount === 0 ? [] : [row(words.discount, formats.money(-discount), body)]),
      ...(order.tax === 0 ? [] : [row(words.tax, formats.money(order.tax), body)]),
      rule('#9aa5b1', 0.5, [columnWidth + columnGap, 2, 0, 2]),
      row(words.total, formats.money(order.total), { size: 11, bold: true }),
    ],
  }
}

export function notes(setter: TextSetter, words: Words, text: string): Content[] {
  if (text.trim() === '') return []
  const lines = setter.set(text.trim(), contentWidth, { ...body, align: 'auto' })
  return [{ stack: [setter.set(words.notes, contentWidth, heading), lines], margin: [0, 18, 0, 0] }]
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

export function footer(
  setter: TextSetter,
  words: Words,
  poNumber: string,
  page: number,
  pages: number,
): Content {
  const small: TextStyle = { size: 8, color: muted }
  const [first = { runs: [], rtl: false }] = setter.wrap(poNumber, columnWidth, small)
  const numbered = words.page.replace('{page}', String(page)).replace('{pages}', String(pages))
  return {
    stack: [
      rule('#cbd2d9', 0.5, [0, 0, 0, 6]),
      twoColumns(drawLines([first], small), setter.set(numbered, columnWidth, { ...small, align: 'right' })),
    ],
    margin: [margin, 14, margin, 0],
  }
}
