import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'

/** More would hold the locks of the claim for too long. */
const maxJoined = 500

const Follower = Type.Object({ id: Id, isAlike: Type.Boolean() })

/**
 * Joins pushes of the same levels that wait behind a queued one into it, so that one request sends them all. A push is
 * joined when the platform would show it alike: the same form, reason and document. Neither was sent before, neither is a
 * count, which the platform confirms, and all levels of the joined one are levels of the other: so no change fails
 * because of a level that is not its own. It ends at the first push of these levels that is not alike, which keeps the order.
 *
 * Example: queued are mug +1 and mug +2 by hand, cup +3 by hand, a receipt of the mug, mug +1 by hand. The first claim
 * sends mug +3, then follow the cup, the receipt, and the last mug +1.
 */
export async function joinFollowing(tx: Db, shopId: number, pushId: number): Promise<void> {
  const followers = await tx.any(sql.type(row(Follower))`
    select p.id,
      p.form = h.form and p.reason = h.reason and p.reference = h.reference and p.request is null and h.request is null
        and not exists (
          select from stock_push_line x
          where x.shop_id = ${shopId} and x.push_id in (h.id, p.id) and x.counted_at is not null
        )
        and not exists (
          select from stock_push_line x
          where x.shop_id = ${shopId} and x.push_id = p.id and not exists (
            select from stock_push_line y
            where y.shop_id = ${shopId} and y.push_id = h.id and y.variant_id = x.variant_id
              and y.location_id = x.location_id
          )
        ) as is_alike
    from stock_push h
    join stock_push p on p.shop_id = ${shopId} and p.id > h.id and p.state = 'queued'
    where h.shop_id = ${shopId} and h.id = ${pushId} and p.id in (
      select y.push_id
      from stock_push_line x
      join stock_push_line y on y.shop_id = ${shopId} and y.variant_id = x.variant_id
        and y.location_id = x.location_id and y.push_id > x.push_id
      where x.shop_id = ${shopId} and x.push_id = ${pushId}
    )
    order by p.id
    limit ${maxJoined}
  `)
  const end = followers.findIndex(({ isAlike }) => !isAlike)
  const joined = followers.slice(0, end === -1 ? undefined : end).map(({ id }) => id)
  if (joined.length === 0) return
  await tx.query(sql.typeAlias('void')`
    update stock_push_line line
    set delta = line.delta + joined.delta
    from (
      select variant_id, location_id, sum(delta)::int as delta
      from stock_push_line
      where shop_id = ${shopId} and push_id = any(${sql.array(joined, 'int8')})
      group by variant_id, location_id
    ) joined
    where line.shop_id = ${shopId} and line.push_id = ${pushId} and line.variant_id = joined.variant_id
      and line.location_id = joined.location_id
  `)
  // the lines go with them
  await tx.query(sql.typeAlias('void')`
    delete from stock_push where shop_id = ${shopId} and id = any(${sql.array(joined, 'int8')})
  `)
}
