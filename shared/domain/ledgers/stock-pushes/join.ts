import { type Static, Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'

/** A larger number would keep the locks of the claim for too long. */
const maxJoined = 500

/** The texts that the platform's history shows with a push. */
const Label = Type.Object({ reason: Type.String(), reference: Type.String() })
type Label = Static<typeof Label>

type Head = Label & { id: number; refusals: number; isDayOld: boolean }

const Follower = Type.Composite([Type.Object({ id: Id, isAlike: Type.Boolean() }), Label])

/**
 * Joins pushes of the same levels that wait behind a queued one into it, so that one request sends them all:
 * 1. A push is joined when the platform would show it alike: the same form, reason and document.
 * 2. One that has waited for a minute is joined whatever its reason and document, when both are of one level, neither was refused,
 *    and the first is less than a day old, after which it fails instead of waiting.
 * 3. Neither was sent before.
 * 4. All levels of the joined one are levels of the other: so no change fails because of a level that is not its own.
 * 5. It ends at the first push of these levels that is not alike, which keeps the order.
 * Returns reason and document of the request.
 *
 * Example: these wait: mug +1 by hand, mug +2 by hand, a receipt of 5 mugs, mug +1 by hand. The first claim sends mug +3; the
 * receipt and the last +1 follow in requests of their own. When all have waited for a minute, the first claim sends mug +9.
 */
export async function joinFollowing(tx: Db, shopId: number, head: Head): Promise<Label> {
  const takesAny = head.refusals === 0 && !head.isDayOld
  const followers = await tx.any(sql.type(row(Follower))`
    with head as materialized (
      select p.id, p.form, p.reason, p.reference, p.request,
        ${takesAny} and (
          select count(*) = 1 from stock_push_line x where x.shop_id = ${shopId} and x.push_id = p.id
        ) as takes_any
      from stock_push p
      where p.shop_id = ${shopId} and p.id = ${head.id}
    )
    select p.id, p.reason, p.reference,
      p.form = h.form and p.request is null and h.request is null
        and (
          p.reason = h.reason and p.reference = h.reference
          or h.takes_any and p.refusals = 0 and p.created_at < now() - interval '1 minute' and (
            select count(*) = 1 from stock_push_line x where x.shop_id = ${shopId} and x.push_id = p.id
          )
        )
        and not exists (
          select from stock_push_line x
          where x.shop_id = ${shopId} and x.push_id = p.id and not exists (
            select from stock_push_line y
            where y.shop_id = ${shopId} and y.push_id = h.id and y.variant_id = x.variant_id
              and y.location_id = x.location_id
          )
        ) as is_alike
    from head h
    join stock_push p on p.shop_id = ${shopId} and p.id > h.id and p.state = 'queued'
    where p.id in (
      select y.push_id
      from stock_push_line x
      join stock_push_line y on y.shop_id = ${shopId} and y.variant_id = x.variant_id
        and y.location_id = x.location_id and y.push_id > x.push_id
      where x.shop_id = ${shopId} and x.push_id = ${head.id}
    )
    order by p.id
    limit ${maxJoined}
  `)
  const end = followers.findIndex(({ isAlike }) => !isAlike)
  const joined = followers.slice(0, end === -1 ? undefined : end)
  if (joined.length === 0) return head
  const ids = arrayOf('int8', joined, ({ id }) => id)
  await tx.query(sql.typeAlias('void')`
    update stock_push_line line
    set delta = line.delta + joined.delta
    from (
      select variant_id, location_id, sum(delta)::int as delta
      from stock_push_line
      where shop_id = ${shopId} and push_id = any(${ids})
      group by variant_id, location_id
    ) joined
    where line.shop_id = ${shopId} and line.push_id = ${head.id} and line.variant_id = joined.variant_id
      and line.location_id = joined.location_id
  `)
  // the foreign key deletes their lines
  await tx.query(sql.typeAlias('void')`
    delete from stock_push where shop_id = ${shopId} and id = any(${ids})
  `)
  return {
    reason: joined.every(({ reason }) => reason === head.reason) ? head.reason : 'other',
    reference: joined.every(({ reference }) => reference === head.reference)
      ? head.reference
      : `stock_push/${head.id}`,
  }
}
