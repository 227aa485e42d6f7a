import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { type Fault, unprocessable } from '../../../../errors.ts'
import { Id } from '../../../../schemas/common.ts'
import type { PurchaseOrder } from '../../../../schemas/purchase-orders.ts'
import type { ExistingLine, OrderLine } from './lines.ts'

/** `isReceived`: a receipt has the line, also one that was reversed; else only drafts of receipts count it. */
const CountedLine = Type.Object({ id: Id, isReceived: Type.Boolean() })
export type CountedLine = Static<typeof CountedLine>

/** The lines of an order that receipts, or drafts of them, refer to. */
export const readCountedLines = (tx: Db, shopId: number, id: number): Promise<readonly CountedLine[]> =>
  tx.any(sql.type(row(CountedLine))`
    select l.id, bool_or(r.state <> 'draft') as is_received
    from purchase_order_line l
    join receipt_line x on x.shop_id = ${shopId} and x.purchase_order_line_id = l.id
    join receipt r on r.shop_id = ${shopId} and r.id = x.receipt_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id}
    group by l.id
  `)

/** Throws line_has_receipts for a removed line with receipts, line_in_draft for one that only drafts count. */
export function requireKeptLines(
  { lineItems }: PurchaseOrder,
  lines: readonly OrderLine[],
  counted: readonly CountedLine[],
): void {
  const kept = new Set(lines.map(({ id }) => id))
  const titles = new Map(lineItems.map(({ id, title }) => [id, title]))
  const faultsOf = (ofReceipts: boolean, rule: string): Fault[] => {
    const removed = counted.filter(({ id, isReceived }) => isReceived === ofReceipts && !kept.has(id))
    const message = `${rule}: ${removed.map(({ id }) => titles.get(id)).join(', ')}`
    return removed.length > 0 ? [{ path: '/lineItems', message }] : []
  }
  refuse(
    'line_has_receipts',
    'A line with receipts cannot be removed. Lower its quantity instead.',
    faultsOf(true, 'must keep the lines that have receipts'),
  )
  refuse(
    'line_in_draft',
    'A line that a draft of a receipt counts cannot be removed. Remove it from the draft first, or delete the draft.',
    faultsOf(false, 'must keep the lines that drafts of receipts count'),
  )
}

/**
 * Throws line_has_receipts for another variant of a line with receipts, line_in_draft for one that only drafts count. Receipts moved the
 * stock of the line's variant, and a reversal moves it back.
 */
export function requireSameVariants(
  existing: readonly ExistingLine[],
  lines: readonly OrderLine[],
  counted: readonly CountedLine[],
): void {
  const variantOf = new Map(existing.map(({ id, variantRowId }) => [id, variantRowId]))
  const isReceived = new Map(counted.map((line) => [line.id, line.isReceived]))
  const faultsOf = (ofReceipts: boolean, message: string) =>
    lines.flatMap(({ id, variant }, index): Fault[] =>
      id !== null && isReceived.get(id) === ofReceipts && variantOf.get(id) !== variant.rowId
        ? [{ path: `/lineItems/${index}/variantId`, message }]
        : [],
    )
  refuse(
    'line_has_receipts',
    'The product of a line with receipts cannot change. Add another line.',
    faultsOf(true, 'must stay, because the line has receipts'),
  )
  refuse(
    'line_in_draft',
    'A draft of a receipt counts this line, so its product cannot change. Remove the line there, or delete the draft.',
    faultsOf(false, 'must stay, because a draft of a receipt counts the line'),
  )
}

function refuse(code: string, message: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw unprocessable(code, message, [...faults])
}
