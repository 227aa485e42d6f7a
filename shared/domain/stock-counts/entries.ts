import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import { unprocessable } from '../../errors.ts'
import { StockCount, StockCountItem, type StockCountItemInput } from '../../schemas/stock-counts.ts'
import { resolveLevelKeys } from '../stock/resolve.ts'

const maxItems = 10_000
const maxQuantity = 1_000_000_000

/** One entry of a request. `countedAt` is an ISO instant, null for now; `paths` are its paths in the request. */
export type CountEntry = {
  variantId: string
  countedQuantity: number | null
  countedAt: string | null
  paths: string[]
}

/** Sums the items of each variant, which may lie on several shelves. Throws quantity_too_large above 1 000 000 000. */
export function sumEntries(items: readonly StockCountItemInput[]): CountEntry[] {
  const entries = new Map<string, CountEntry>()
  for (const [at, { variantId, countedQuantity, countedAt = null }] of items.entries()) {
    const entry = entries.get(variantId) ?? { variantId, countedQuantity: null, countedAt, paths: [] }
    entry.paths.push(`/items/${at}`)
    entry.countedAt = laterOf(entry.countedAt, countedAt)
    if (countedQuantity !== null) entry.countedQuantity = (entry.countedQuantity ?? 0) + countedQuantity
    entries.set(variantId, entry)
  }
  const tooLarge = [...entries.values()].filter(({ countedQuantity }) => (countedQuantity ?? 0) > maxQuantity)
  if (tooLarge.length > 0) {
    const paths = tooLarge.flatMap((entry) => entry.paths)
    throw unprocessable(
      'quantity_too_large',
      'A stock level holds at most 1 000 000 000 pieces.',
      paths.map((path) => ({
        path: `${path}/countedQuantity`,
        message: 'adds up to more than 1 000 000 000',
      })),
    )
  }
  return [...entries.values()]
}

/** A sum is as recent as its latest part; null means now. */
const laterOf = (a: string | null, b: string | null) =>
  a === null || b === null ? null : Date.parse(a) > Date.parse(b) ? a : b

const Stored = Type.Pick(StockCountItem, ['variantId', 'countedQuantity'])

/** The entries that differ from the stored ones, so that a repeated number keeps the time of its first entry. */
export async function changedEntries(
  tx: Db,
  shopId: number,
  countId: number,
  entries: readonly CountEntry[],
): Promise<CountEntry[]> {
  if (entries.length === 0) return []
  const gids = entries.map(({ variantId }) => variantId)
  const stored = await tx.any(sql.type(row(Stored))`
    select v.gid as variant_id, i.counted_quantity
    from stock_count_item i
    join variant v on v.shop_id = i.shop_id and v.id = i.variant_id
    where i.shop_id = ${shopId} and i.count_id = ${countId} and v.gid = any(${sql.array(gids, 'text')})
  `)
  const countedOf = new Map(stored.map((item) => [item.variantId, item.countedQuantity]))
  return entries.filter(({ variantId, countedQuantity }) => countedOf.get(variantId) !== countedQuantity)
}

/**
 * Adds entries to a locked count or changes stored ones. Each entry stores its time, and the expected quantity and last
 * movement of the level at that time. An entry sent late uses its own `countedAt`, limited to between the start of the
 * count and now (docs/decisions/stock-counts.md, Counts). Throws too_many_items, unknown_variant, untracked_variant.
 */
export async function addEntries(
  tx: Db,
  shopId: number,
  { id, locationId, itemCount }: { id: number; locationId: number; itemCount: number },
  entries: readonly CountEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const { variants } = await resolveLevelKeys(tx, shopId, {
    variants: entries.map(({ variantId, paths }) => ({ id: variantId, path: `${paths[0]}/variantId` })),
  })
  const rows = entries.map(({ countedQuantity, countedAt }, at) => [
    variants[at] ?? 0,
    itemCount + at,
    countedQuantity,
    countedAt,
  ])
  await tx.query(sql.typeAlias('void')`
    insert into stock_count_item (
      shop_id, count_id, variant_id, position, counted_quantity, expected_quantity, counted_at, after_movement_id
    )
    select ${shopId}, ${id}, i.variant_id, i.position, i.counted_quantity,
      ${levelOfItem(shopId, locationId)} - since.delta,
      case when i.counted_quantity is not null then coalesce(i.entered_at, now()) end,
      since.after_id
    from (
      select e.variant_id, e.position, e.counted_quantity,
        case when e.counted_at is not null then least(now(), greatest(e.counted_at, c.created_at)) end as entered_at
      from ${sql.unnest(rows, ['int8', 'int4', 'int4', 'timestamptz'])}
        as e (variant_id, position, counted_quantity, counted_at)
      join stock_count c on c.shop_id = ${shopId} and c.id = ${id}
    ) i
    cross join lateral (${movedSince(shopId, locationId)}) since
    on conflict (shop_id, count_id, variant_id) do update
    set counted_quantity = excluded.counted_quantity, expected_quantity = excluded.expected_quantity,
      counted_at = excluded.counted_at, after_movement_id = excluded.after_movement_id
  `)
  await saveItemCount(tx, shopId, id)
}

/**
 * SQL for item `i`: `after_id`, the level's last movement before the entry's time, and `delta`, the sum of the later
 * ones. For an entry sent late it searches from a day before, since platform updates arrive at most a day late.
 */
function movedSince(shopId: number, locationId: number) {
  // `+ 0` prevents an index scan over all movements of the location for each item, without statistics of the shop
  const ofLevel = sql.fragment`
    m.shop_id = ${shopId} and m.variant_id = i.variant_id and m.location_id + 0 = ${locationId}
  `
  return sql.fragment`
    select after_id, (select coalesce(sum(m.delta), 0) from stock_movement m where ${ofLevel} and m.id > after_id) as delta
    from (
      select coalesce(
        (
          select min(m.id) - 1
          from stock_movement m
          where ${ofLevel}
            and m.id > coalesce(
              (select max(m.id) from stock_movement m where ${ofLevel} and m.occurred_at < i.entered_at - interval '1 day'),
              0
            )
            and (
              (m.kind <> 'platform' and m.occurred_at > i.entered_at)
              or (m.kind = 'platform' and m.occurred_at >= date_trunc('second', i.entered_at))
            )
            and i.entered_at is not null
        ),
        (select max(m.id) from stock_movement m where ${ofLevel}),
        0
      ) as after_id
    ) last
  `
}

const ItemCount = Type.Pick(StockCount, ['itemCount'])

async function saveItemCount(tx: Db, shopId: number, countId: number): Promise<void> {
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

/** A subquery: without statistics, Postgres may plan a join that compares every level with every item. */
export function levelOfItem(shopId: number, locationId: number | FragmentSqlToken) {
  return sql.fragment`coalesce(
    (
      select quantity
      from stock_level
      where shop_id = ${shopId} and variant_id = i.variant_id and location_id = ${locationId}
    ),
    0
  )`
}
