import { type Db, sql } from '../../../db/db.ts'
import type { ClaimedPush } from './claim.ts'
import { applyPlatformState, leaveSending } from './finish.ts'

export const isPacked = ({ lines }: Pick<ClaimedPush, 'lines'>) =>
  lines.some(({ packedPushId }) => packedPushId !== null)

/**
 * The platform certainly applied nothing of a packed push, and did not say which level it refuses: queues each push that was packed
 * into it again, with its own id and so in its old place. They count as refused once, so they are sent alone, and one bad level
 * does not hold back the others.
 */
export function unpackPush(db: Db, shopId: number, push: ClaimedPush): Promise<void> {
  const refusals = push.refusals + 1
  return leaveSending(db, shopId, push, { state: 'queued', refusals, reason: '' }, async (tx) => {
    await applyPlatformState(tx, shopId, push.lines, [])
    await tx.query(sql.typeAlias('void')`
      insert into stock_push (shop_id, id, form, reason, reference, refusals, created_at)
      overriding system value
      select p.shop_id, x.packed_push_id, p.form, p.reason, p.reference, p.refusals, p.created_at
      from stock_push p
      join stock_push_line x on x.shop_id = ${shopId} and x.push_id = p.id
      where p.shop_id = ${shopId} and p.id = ${push.id} and x.packed_push_id is not null
    `)
    await tx.query(sql.typeAlias('void')`
      update stock_push_line
      set push_id = packed_push_id, packed_push_id = null
      where shop_id = ${shopId} and push_id = ${push.id} and packed_push_id is not null
    `)
  })
}
