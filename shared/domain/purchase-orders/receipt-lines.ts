import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { type Fault, unprocessable } from '../../errors.ts'
import { Id } from '../../schemas/common.ts'
import type { ReceiptInput } from '../../schemas/receipts.ts'

const LineToReceive = Type.Object({
  id: Id,
  variantId: Id,
  accepted: Type.Integer(),
  outstanding: Type.Integer(),
  /** False: nobody counts this variant, so it is received without moving stock. */
  isStocked: Type.Boolean(),
})
export type LineToReceive = Static<typeof LineToReceive>

const maxAccepted = 1_000_000_000

/** How many pieces of each line, by its id: entries that repeat a line are added up. */
export function sumQuantities({ lineItems }: ReceiptInput): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const { lineItemId, quantityReceived } of lineItems) {
    sums.set(lineItemId, (sums.get(lineItemId) ?? 0) + quantityReceived)
  }
  return sums
}

/** Where in a request the quantity of an entry stands. */
export const quantityPath = (index: number) => `/lineItems/${index}/quantityReceived`

/**
 * The lines of an order that a request names, by their ids; the caller holds the order's row lock. What is outstanding
 * counts line by line. Throws, with every entry at fault: unknown_line; over_receipt unless that is allowed;
 * quantity_too_large beyond 1 000 000 000.
 */
export async function requireLines(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  { lineItems, allowOverReceipt }: ReceiptInput,
  quantities: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, LineToReceive>> {
  const lines = await findLines(tx, shopId, purchaseOrderId, [...quantities.keys()])
  const faultsOf = (describe: (line: LineToReceive, quantity: number) => string | false): Fault[] =>
    lineItems.flatMap(({ lineItemId }, index) => {
      const line = lines.get(lineItemId)
      const message = line && describe(line, quantities.get(lineItemId) ?? 0)
      return message ? [{ path: quantityPath(index), message }] : []
    })

  const unknown = lineItems.flatMap(({ lineItemId }, index) => {
    const fault = { path: `/lineItems/${index}/lineItemId`, message: 'is not a line of this order' }
    return lines.has(lineItemId) ? [] : [fault]
  })
  refuse('unknown_line', 'Some lines are not lines of this order.', unknown)
  if (!allowOverReceipt) {
    const over = faultsOf(
      ({ outstanding }, quantity) =>
        quantity > outstanding && `is more than is outstanding: ${Math.max(outstanding, 0)}`,
    )
    refuse('over_receipt', 'This is more than was ordered. Correct the quantity, or allow it.', over)
  }
  const tooLarge = faultsOf(
    ({ accepted }, quantity) => accepted + quantity > maxAccepted && 'leads beyond 1 000 000 000 pieces',
  )
  refuse('quantity_too_large', 'A line of an order takes at most 1 000 000 000 pieces.', tooLarge)
  return lines
}

async function findLines(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LineToReceive>> {
  const lines = await tx.any(sql.type(row(LineToReceive))`
    select l.id, l.variant_id, l.accepted, l.quantity - l.accepted - l.cancelled as outstanding,
      v.is_tracked and v.deleted_at is null as is_stocked
    from purchase_order_line l
    join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
      and l.id = any(${sql.array([...ids], 'int8')})
  `)
  return new Map(lines.map((line) => [line.id, line]))
}

function refuse(code: string, message: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw unprocessable(code, message, faults)
}
