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
  /** False: the platform does not track this variant, so receiving it moves no stock. */
  isStocked: Type.Boolean(),
})
type LineToReceive = Static<typeof LineToReceive>

const maxAccepted = 1_000_000_000

/** The received quantity by line id. Several entries for one line are added up. */
export function sumQuantities({ lineItems }: ReceiptInput): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const { lineItemId, quantityReceived } of lineItems) {
    sums.set(lineItemId, (sums.get(lineItemId) ?? 0) + quantityReceived)
  }
  return sums
}

export const quantityPath = (index: number) => `/lineItems/${index}/quantityReceived`

/**
 * The lines of an order in a request, by id. The caller must hold the row lock of the order. Throws, with every faulty
 * entry: unknown_line; over_receipt when more than the outstanding quantity of a line is received, unless allowed;
 * quantity_too_large when more than 1 000 000 000 pieces of a line are accepted.
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
        quantity > outstanding && `is more than the outstanding quantity: ${Math.max(outstanding, 0)}`,
    )
    refuse(
      'over_receipt',
      'The quantity is more than what was ordered. Correct it, or allow over-receipt.',
      over,
    )
  }
  const tooLarge = faultsOf(
    ({ accepted }, quantity) =>
      accepted + quantity > maxAccepted && 'exceeds the total of 1 000 000 000 pieces',
  )
  refuse('quantity_too_large', 'At most 1 000 000 000 pieces of a line can be received.', tooLarge)
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
