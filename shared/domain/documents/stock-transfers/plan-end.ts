import { sql } from '../../../db/db.ts'

type Fragment = ReturnType<typeof sql.fragment>

/**
 * SQL: a person has closed, completed or cancelled a transfer, given by the SQL of its id, so that pieces that were not shipped stay
 * at the source. Only the reversal of that event ends this; `reversing` is the event that is about to be reversed.
 * Example: 5 of 9 pieces are shipped and received, and the transfer is closed. After the receipt is reversed, 5 pieces are in transit
 * and the other 4 still stay at the source.
 */
export const isPlanEnded = (shopId: number, transferId: Fragment, reversing: number | null = null) =>
  sql.fragment`exists (
    select from stock_transfer_event z
    where z.shop_id = ${shopId} and z.transfer_id = ${transferId} and z.kind in ('close', 'complete', 'cancel')
      and z.reversed_at is null and z.id is distinct from ${reversing}::bigint
  )`
