import type { FragmentSqlToken } from 'slonik'
import { type Db, sql } from '../../../db/db.ts'

/** The platform takes at most 250 quantities in one request; one is the head's. */
const maxPacked = 249
/** How many waiting pushes a claim looks at. */
const maxSeen = 1_000

type Head = {
  id: number
  form: 'adjust' | 'set'
  reason: string
  reference: string
  refusals: number
  isDayOld: boolean
}

/**
 * Packs queued pushes of one level each into a queued push of another level, so that one request sends them all:
 * 1. Only adjustments of the same reason and document, which the platform shows alike. They state no expected quantity, so none of
 *    them is refused because another level has changed. Transfers are not packed.
 * 2. `isNext` is the condition of a claim: each is the oldest waiting push of its level, so the order of each level stays.
 * 3. Neither was refused before: a refused request is taken apart (`unpackPush`), and its parts are sent alone.
 */
export async function packWaiting(
  tx: Db,
  shopId: number,
  head: Head,
  isNext: FragmentSqlToken,
): Promise<void> {
  const { id, form, reason, reference, refusals, isDayOld } = head
  if (form !== 'adjust' || refusals > 0 || isDayOld || reference.startsWith('stock_transfer/')) return
  const ids = await tx.anyFirst(sql.typeAlias('id')`
    with seen as materialized (
      select p.id
      from stock_push p
      where p.shop_id = ${shopId} and p.state = 'queued' and p.id >= ${id} and p.form = 'adjust' and p.reason = ${reason}
        and p.reference = ${reference} and p.request is null and p.refusals = 0
      order by p.id
      limit ${maxSeen}
    ),
    single as materialized (
      select x.push_id as id
      from stock_push_line x
      join variant v on v.shop_id = ${shopId} and v.id = x.variant_id
      where x.shop_id = ${shopId} and x.push_id in (select id from seen)
      group by x.push_id
      having count(*) = 1 and bool_and(v.inventory_item_gid is not null)
    )
    select p.id
    from stock_push p
    where p.shop_id = ${shopId} and p.id in (select id from single) and ${isNext}
    order by p.id
    limit ${maxPacked + 1}
  `)
  if (ids[0] !== id || ids.length === 1) return
  const packed = sql.array([...ids.slice(1)], 'int8')
  await tx.query(sql.typeAlias('void')`
    update stock_push_line
    set push_id = ${id}, packed_push_id = push_id
    where shop_id = ${shopId} and push_id = any(${packed})
  `)
  await tx.query(sql.typeAlias('void')`
    delete from stock_push where shop_id = ${shopId} and id = any(${packed})
  `)
}
