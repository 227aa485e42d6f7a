import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { AppError, conflict, type Fault, notFound, unprocessable } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { type PurchaseOrder, PurchaseOrderStatus } from '../../../schemas/purchase-orders.ts'

const LockedOrder = Type.Object({
  status: PurchaseOrderStatus,
  /** Null when the location does not exist. */
  locationId: Nullable(Id),
  isInUse: Type.Boolean(),
})
type LockedOrder = Static<typeof LockedOrder>

/**
 * Locks an order, and finds where its goods arrive: at the given location, else its destination, else the primary one.
 * `update`: the next receipt sees the quantities that this one accepts. `share`: a draft keeps the lines that it counts.
 */
export async function lockOrderToReceive(
  tx: Db,
  shopId: number,
  id: number,
  { locationGid, lock }: { locationGid: string | null; lock: 'share' | 'update' },
): Promise<LockedOrder> {
  const order = await tx.maybeOne(sql.type(row(LockedOrder))`
    select o.status, w.id as location_id, coalesce(w.is_active, false) as is_in_use
    from purchase_order o
    left join location w on w.shop_id = ${shopId} and case
      when ${locationGid}::text is not null then w.gid = ${locationGid}
      when o.destination_location_id is not null then w.id = o.destination_location_id
      else w.is_primary
    end
    where o.shop_id = ${shopId} and o.id = ${id}
    ${lock === 'share' ? sql.fragment`for share of o` : sql.fragment`for update of o`}
  `)
  if (!order) throw notFound('Purchase order')
  return order
}

const reasons: Partial<Record<PurchaseOrder['status'], string>> = {
  draft: 'This order is a draft. Send it before you receive goods against it.',
  received: 'This order has no outstanding quantities. Undo a receipt that was wrong.',
  cancelled: 'This order is cancelled. Create a new one for goods that still arrive.',
}

/** Throws conflict, with `faults` when there are some, unless goods of the order can be received. */
export function requireSent({ status }: Pick<LockedOrder, 'status'>, faults?: readonly Fault[]): void {
  const reason = reasons[status]
  if (!reason) return
  throw faults ? new AppError('conflict', 'conflict', reason, faults) : conflict(reason)
}

/** Throws unknown_location. */
export function requireLocation(
  { locationId, isInUse }: Pick<LockedOrder, 'locationId' | 'isInUse'>,
  isGiven: boolean,
): number {
  if (locationId !== null && isInUse) return locationId
  const path = '/locationId'
  if (!isGiven) {
    const message = 'This order has no location in use. Choose one.'
    throw unprocessable('unknown_location', message, [{ path, message: 'is required for this order' }])
  }
  const message = locationId === null ? 'is not a location of this shop' : 'is no longer in use'
  throw unprocessable('unknown_location', 'Choose a location that is in use.', [{ path, message }])
}
