import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import { StockCount } from '../../../schemas/stock-counts.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import type { ChangedEntry, Counter } from './entries.ts'
import { asQuantity, type ItemPlace, ofLevel, onHandOfItem } from './expected.ts'

export const maxItems = 10_000

/**
 * Adds entries to a locked count or changes stored ones. Each item stores its time, the level's last movement of ours
 * at that time, and an estimate of what was on hand, until the worker has read it (`expected.ts`). An entry sent late
 * uses its own `countedAt`, limited to between the start of the count and now (docs/decisions/stock-counts.md, Counts).
 * Returns the counted variants, for `enqueueReadLevels`. Throws too_many_items, unknown_variant, untracked_variant.
 */
export async function addEntries(
  tx: Db,
  shopId: number,
  count: { id: number; locationId: number; itemCount: number; round: number },
  { actor, device }: Counter,
  entries: readonly ChangedEntry[],
): Promise<number[]> {
  if (entries.length === 0) return []
  const { id, locationId, itemCount, round } = count
  const { variants } = await resolveLevelKeys(tx, shopId, {
    variants: entries.map(({ variantId, paths }) => ({ id: variantId, path: `${paths[0]}/variantId` })),
  })
  const rows = entries.map(({ total, totalAt }, at) => [variants[at] ?? 0, itemCount + at, total, totalAt])
  const place = { item: 'i', locationId: sql.fragment`${locationId}` }
  await tx.query(sql.typeAlias('void')`
    insert into stock_count_item (
      shop_id, count_id, variant_id, position, counted_quantity, expected_quantity, counted_at, entered_at,
      after_movement_id
    )
    select ${shopId}, ${id}, i.variant_id, i.position, i.counted_quantity,
      ${asQuantity(sql.fragment`${onHandOfItem(shopId, place)} - since.delta`)},
      case when i.counted_quantity is not null then coalesce(i.entered_at, now()) end,
      case when i.counted_quantity is not null then now() end,
      since.after_id
    from (
      select e.variant_id, e.position, e.counted_quantity,
        case when e.counted_at is not null then least(now(), greatest(e.counted_at, c.created_at)) end as entered_at
      from ${sql.unnest(rows, ['int8', 'int4', 'int4', 'timestamptz'])}
        as e (variant_id, position, counted_quantity, counted_at)
      join stock_count c on c.shop_id = ${shopId} and c.id = ${id}
    ) i
    cross join lateral (${movedSinceEntry(shopId, place)}) since
    on conflict (shop_id, count_id, variant_id) do update
    set counted_quantity = excluded.counted_quantity, expected_quantity = excluded.expected_quantity,
      counted_at = excluded.counted_at, entered_at = excluded.entered_at, read_at = null,
      after_movement_id = excluded.after_movement_id
  `)
  await storeNumbers(tx, shopId, { id, round }, { actor, device }, entries, variants)
  await saveItemCount(tx, shopId, id)
  return variants.filter((_, at) => entries[at]?.total != null)
}

/** Stores what the counter counted, in place of what it counted before; a total in place of what all did. */
async function storeNumbers(
  tx: Db,
  shopId: number,
  { id, round }: { id: number; round: number },
  { actor, device }: Counter,
  entries: readonly ChangedEntry[],
  variants: readonly number[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    delete from stock_count_entry
    where ${sql.and([
      sql.fragment`shop_id = ${shopId} and count_id = ${id} and round = ${round}`,
      sql.fragment`variant_id = any(${sql.array([...variants], 'int8')})`,
      device !== undefined && sql.fragment`person = ${actor} and device = ${device}`,
    ])}
  `)
  const rows = entries.flatMap(({ countedQuantity, countedAt }, at) =>
    countedQuantity === null ? [] : [[variants[at] ?? 0, countedQuantity, countedAt]],
  )
  await tx.query(sql.typeAlias('void')`
    insert into stock_count_entry (shop_id, count_id, variant_id, round, person, device, counted_quantity, counted_at)
    select ${shopId}, ${id}, e.variant_id, ${round}, ${actor}, ${device ?? ''}, e.counted_quantity,
      least(now(), greatest(coalesce(e.counted_at, now()), c.created_at))
    from ${sql.unnest(rows, ['int8', 'int4', 'timestamptz'])} as e (variant_id, counted_quantity, counted_at)
    join stock_count c on c.shop_id = ${shopId} and c.id = ${id}
  `)
}

/**
 * SQL for an item: `after_id`, the last movement at the entry's time, and `delta`, the sum of our own later ones. The index of
 * movements by level and id has the first and the last one, if the condition names both columns of the level as they are: else Postgres
 * may search the movements of the whole shop for each item.
 */
function movedSinceEntry(shopId: number, place: ItemPlace) {
  const i = sql.identifier([place.item])
  const moved = sql.fragment`
    from stock_movement m
    where m.shop_id = ${shopId} and m.variant_id = ${i}.variant_id and m.location_id = ${place.locationId}
  `
  return sql.fragment`
    select after_id, (
      select coalesce(sum(m.delta), 0)
      from stock_movement m
      where m.shop_id = ${shopId} and ${ofLevel('m', place)} and m.id > after_id and m.kind not in ('platform', 'repair')
    ) as delta
    from (
      select coalesce(
        (select min(m.id) - 1 ${moved} and m.occurred_at > ${i}.entered_at and m.kind not in ('platform', 'repair')),
        (select max(m.id) ${moved}),
        0
      ) as after_id
    ) last
  `
}

const ItemCount = Type.Pick(StockCount, ['itemCount'])

/** Stores the number of items. Throws too_many_items. */
export async function saveItemCount(tx: Db, shopId: number, countId: number): Promise<void> {
  const { itemCount } = await tx.one(sql.type(row(ItemCount))`
    update stock_count
    set item_count = (select count(*) from stock_count_item where shop_id = ${shopId} and count_id = ${countId})
    where shop_id = ${shopId} and id = ${countId}
    returning item_count
  `)
  if (itemCount <= maxItems) return
  throw unprocessable(
    'too_many_items',
    'A count can have at most 10 000 products. Start another count for the rest.',
    [{ path: '/items', message: `results in ${itemCount} products` }],
  )
}
