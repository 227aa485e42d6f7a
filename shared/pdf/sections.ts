import type { Content, ContentColumns } from 'pdfmake/interfaces.js'
import type { Formats } from '../format.ts'
import { oneLine } from '../one-line.ts'
import type { Party, PurchaseOrderDocument } from '../schemas/order-document.ts'
import { expectedDate } from '../words/expected-date.ts'
import { orderAmount } from '../words/order-amount.ts'
import type { Words } from '../words/words.ts'
import { columnGap, margin, type Page } from './page.ts'
import { drawLines, type TextStyle } from './text-lines.ts'

const labelWidth = 104

const muted = '#52606d'
const body: TextStyle = { size: 9 }
const label: TextStyle = { size: 9, color: muted }
const heading: TextStyle = { size: 8, bold: true, color: muted }
const name: TextStyle = { size: 12, bold: true }

export function supplierBlock(
  page: Page,
  words: Words,
  supplier: PurchaseOrderDocument['supplier'],
): Content {
  const rows = {
    first: labelled(words.attention, supplier.contactName, ' '),
    last: labelled(words.taxId, supplier.taxId),
  }
  return {
    stack: [page.set(words.supplier, page.columnWidth, heading, page.tag('H2')), party(page, supplier, rows)],
  }
}

/** Where the goods and the invoice go. Without a place of delivery, the billing address takes its column. */
export function delivery(page: Page, words: Words, { shipTo, shop }: PurchaseOrderDocument): Content {
  const taxId = { last: labelled(words.taxId, shop.taxId) }
  const blocks = [
    ...(shipTo ? [titledParty(page, words.shipTo, shipTo)] : []),
    titledParty(page, words.billTo, { ...shop, email: '' }, taxId),
  ]
  const [left = { text: '' }, right = { text: '' }] = blocks
  return { ...twoColumns(page, left, right), margin: [0, 14, 0, 0] }
}

/** Rows before and after those of a party; an empty one is left out. */
type ExtraRows = { first?: string; last?: string }

const titledParty = (page: Page, title: string, block: Party, rows?: ExtraRows): Content => ({
  stack: [page.set(title, page.columnWidth, heading, page.tag('H2')), party(page, block, rows)],
})

/** `Title: value`, on one line; empty without a value. */
export const labelled = (title: string, value = '', separator = ': ') =>
  value.trim() === '' ? '' : `${title}${separator}${oneLine(value)}`

export function party(
  page: Page,
  { name: partyName, address, email, phone }: Party,
  { first = '', last = '' }: ExtraRows = {},
): Content {
  const rows = [first, address, email, phone, last].filter((row) => row.trim() !== '')
  const title = partyName.trim() === '' ? [] : [page.set(oneLine(partyName), page.columnWidth, name)]
  return { stack: [...title, ...rows.map((row) => page.set(row.trim(), page.columnWidth, body))] }
}

export function details(page: Page, words: Words, formats: Formats, order: PurchaseOrderDocument): Content {
  const { supplier } = order
  const given: [string, string | undefined][] = [
    [words.orderDate, formats.date(order.orderedAt)],
    [words.expectedDate, expectedDate(order, words, formats)],
    [words.orderedBy, order.orderedBy],
    [words.reference, order.reference],
    [words.supplierReference, order.supplierReference],
    [words.accountNumber, supplier.accountNumber],
    [words.paymentTerms, supplier.paymentTerms],
    [words.currency, order.currency],
  ]
  return factRows(page, given)
}

/** Labels with their values; an empty value is left out. */
export function factRows(page: Page, given: readonly [string, string | undefined][]): Content {
  const rows = given.flatMap(([title, value = '']): [string, string][] =>
    value.trim() === '' ? [] : [[title, value]],
  )
  return {
    stack: rows.map(([title, value]) => {
      const tag = page.tag('P')
      return {
        columns: [
          { width: labelWidth, stack: [page.set(title, labelWidth, label, tag)] },
          { width: '*', stack: [page.set(oneLine(value), page.columnWidth - labelWidth, body, tag)] },
        ],
        columnGap: 0,
        margin: [0, 0, 0, 2],
      }
    }),
  }
}

export function totals(page: Page, words: Words, formats: Formats, order: PurchaseOrderDocument): Content {
  const { discount = 0, lines } = order
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const width = page.columnWidth / 2
  const table = page.tag('Table')
  const row = (title: string, value: string, style: TextStyle): Content => {
    const tag = page.tag('TR', table)
    const head = page.tag('TH', tag, { scope: 'Row' })
    return {
      columns: [
        { width: '*', text: '' },
        { width, stack: [page.set(title, width, { ...style, align: 'left' }, head)] },
        // The right margin equals the cell padding of the table above, so that the amounts align.
        {
          width,
          stack: [page.set(value, width - 4, { ...style, align: 'right' }, page.tag('TD', tag))],
          margin: [0, 0, 4, 0],
        },
      ],
      columnGap: 0,
      margin: [0, 3, 0, 3],
    }
  }
  const tax = order.taxRate ? `${words.tax} ${formats.percent(order.taxRate)}` : words.tax
  return {
    unbreakable: true,
    margin: [0, 8, 0, 0],
    stack: [
      row(words.pieces, formats.quantity(pieces), body),
      row(words.subtotal, orderAmount(order.subtotal, order, words, formats), body),
      ...(discount === 0 ? [] : [row(words.discount, formats.money(-discount), body)]),
      ...(order.tax === 0 ? [] : [row(tax, formats.money(order.tax), body)]),
      rule(page, '#9aa5b1', 0.5, [page.columnWidth + columnGap, 2, 0, 2]),
      row(words.total, orderAmount(order.total, order, words, formats), { size: 11, bold: true }),
    ],
  }
}

export function notes(page: Page, words: Words, text: string): Content[] {
  if (text.trim() === '') return []
  const title = page.set(words.notes, page.contentWidth, heading, page.tag('H2'))
  const lines = page.set(text.trim(), page.contentWidth, { ...body, align: 'auto' })
  return [{ stack: [title, lines], margin: [0, 18, 0, 0] }]
}

export function twoColumns(page: Page, left: Content, right: Content): ContentColumns {
  return {
    columns: [
      { width: page.columnWidth, stack: [left] },
      { width: page.columnWidth, stack: [right] },
    ],
    columnGap,
  }
}

export function rule(
  page: Page,
  color: string,
  thickness: number,
  around: [number, number, number, number],
): Content {
  const width = page.contentWidth - around[0] - around[2]
  return {
    canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: thickness, lineColor: color }],
    margin: around,
  }
}

/** Decoration: a screen reader need not repeat it on each page. */
export function footer(page: Page, words: Words, title: string, at: number, pages: number): Content {
  const small: TextStyle = { size: 8, color: muted }
  const [first = { runs: [], rtl: false }] = page.wrap(title, page.columnWidth, small)
  const numbered = words.page.replace('{page}', String(at)).replace('{pages}', String(pages))
  const right: TextStyle = { ...small, align: 'right' }
  return {
    stack: [
      rule(page, '#cbd2d9', 0.5, [0, 0, 0, 6]),
      twoColumns(
        page,
        drawLines([first], small),
        drawLines(page.wrap(numbered, page.columnWidth, right), right),
      ),
    ],
    margin: [margin, 14, margin, 0],
  }
}
