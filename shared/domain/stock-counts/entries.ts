import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../db/db.ts'
import { unprocessable } from '../../errors.ts'
import { StockCount, StockCountItem, type StockCountItemInput } from '../../schemas/stock-counts.ts'
import { resolveLevelKeys } from '../stock/resolve.ts'
import { asQuantity, ofLevel, onHandOfItem } from './expected.ts'

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
 * Adds entries to a locked count or changes stored ones. Each entry stores its time, the level's last movement of ours
 * at that time, and an estimate of what was on hand, until the worker has read it (`expected.ts`). An entry sent late
 * uses its own `countedAt`, limited to between the start of the count and now (docs/decisions/stock-counts.md, Counts).
 * Returns the counted variants, for `enqueueReadLevels`. Throws too_many_items, unknown_variant, untracked_variant.
 */
export async function addEntries(
  tx: Db,
  shopId: number,
  { id, locationId, itemCount }: { id: number; locationId: number; itemCount: number },
  entries: readonly CountEntry[],
): Promise<number[]> {
  if (entries.length === 0) return []
  const { variants } = await resolveLevelKeys(tx, shopId, {
    variants: entries.map(({ variantId, paths }) => ({ id: variantId, path: `${paths[0]}/variantId` })),
  })
  const rows = entries.map(({ countedQuantity, countedAt }, at) => [
    variants[at] ?? 0,
    itemCount + at,
    countedQuantity,
    countedAt,
  ])
  const place = sql.fragment`${locationId}`
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
  await saveItemCount(tx, shopId, id)
  return variants.filter((_, at) => entries[at]?.countedQuantity != null)
}

/** SQL for item `i`: `after_id`, the last movement at the entry's time, and `delta`, the sum of our own later ones. */
function movedSinceEntry(shopId: number, locationId: FragmentSqlToken) {
  const ofItem = ofLevel(shopId, locationId)
  return sql.fragment`
    select after_id, (
      select coalesce(sum(m.delta), 0)
      from stock_movement m
      where ${ofItem} and m.id > after_id and m.kind not in ('platform', 'repair')
    ) as delta
    from (
      select coalesce(
        (
          select min(m.id) - 1
          from stock_movement m
          where ${ofItem} and m.occurred_at > i.entered_at and m.kind not in ('platform', 'repair')
        ),
        (select max(m.id) from stock_movement m where ${ofItem}),
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
