import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import type { CountSheet } from '../../../schemas/stock-counts.ts'
import { resolveDates } from '../../kit/date-range.ts'
import { isKnownEnough, knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { asQuantity } from './expected.ts'
import { maxItems, saveItemCount } from './store-entries.ts'

const Matching = Type.Object({ products: Type.Integer() })
type Matching = Static<typeof Matching>

/**
 * Adds the stocked, tracked products that match a filter and are not in the count to its end, in the order of their titles.
 * With `maxRows`, only those that were counted longest ago, first those that never were. Returns how many it added. Without
 * `maxRows`, throws too_many_items.
 */
export async function addSheet(
  tx: Db,
  shopId: number,
  { id, locationId, itemCount }: { id: number; locationId: number; itemCount: number },
  filter: CountSheet,
  { maxRows }: { maxRows?: number } = {},
): Promise<number> {
  const { from } =
    filter.changedSince === undefined || filter.changedSince === 'last_count'
      ? { from: null }
      : await resolveDates(tx, shopId, { startDate: filter.changedSince })
  const maxAdded = maxItems - itemCount
  const { products }: Matching = await tx.one(sql.type(row(Matching))`
    with matching as (
      select v.id as variant_id, p.title, l.quantity, l.on_hand, counted.last_at
      from stock_level l
      join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      left join (${lastCounted(shopId, locationId)}) counted on counted.variant_id = l.variant_id
      where ${sql.and([
        sql.fragment`l.shop_id = ${shopId} and l.location_id = ${locationId} and v.deleted_at is null and v.is_tracked`,
        sql.fragment`not exists (
          select from stock_count_item i where i.shop_id = ${shopId} and i.count_id = ${id} and i.variant_id = l.variant_id
        )`,
        ...matchesProduct('p', filter),
        filter.abcClass !== undefined && isOfClass(shopId, filter.abcClass),
        filter.bin !== undefined && liesIn(shopId, locationId, filter.bin),
        filter.changedSince === 'last_count' &&
          sql.fragment`(counted.last_at is null or ${movedSince(shopId, locationId, sql.fragment`counted.last_at`)})`,
        from !== null && movedSince(shopId, locationId, sql.fragment`${from}::timestamptz`),
      ])}
    ),
    chosen as (
      select *
      from matching
      ${maxRows === undefined ? sql.fragment`` : sql.fragment`order by last_at nulls first, variant_id`}
      limit ${maxRows ?? maxAdded + 1}
    ),
    added as (
      insert into stock_count_item (shop_id, count_id, variant_id, position, expected_quantity)
      select ${shopId}, ${id}, variant_id, ${itemCount} + row_number() over (order by lower(title), variant_id) - 1,
        ${asQuantity(sql.fragment`coalesce(on_hand, quantity)`)}
      from chosen
      where (select count(*) from chosen) <= ${maxAdded}
    )
    select count(*) as products from matching
  `)
  if (maxRows === undefined && products > maxAdded) throw tooManyItems(products, { isNew: itemCount === 0 })
  await saveItemCount(tx, shopId, id)
  return Math.min(products, maxRows ?? maxItems)
}

const tooManyItems = (products: number, { isNew }: { isNew: boolean }) =>
  isNew
    ? unprocessable(
        'too_many_items',
        `The filter matches ${products} products, and a count can have at most 10 000. Choose a vendor, a type, a class, a bin or a date.`,
        [{ path: '/filter', message: `matches ${products} products` }],
      )
    : unprocessable(
        'too_many_items',
        `A count can have at most 10 000 products, and ${products} more match. Start a count of a vendor, a type, a class or a bin.`,
        [{ path: '', message: `matches ${products} more products` }],
      )

export const nothingToCount = () =>
  unprocessable('nothing_to_count', 'No product that is stocked at this location matches the filter.', [
    { path: '/filter', message: 'matches no product at this location' },
  ])

/** SQL: when each variant was last counted at a location, in a count that was submitted. */
const lastCounted = (shopId: number, locationId: number) => sql.fragment`
  select i.variant_id, max(i.counted_at) as last_at
  from stock_count c
  join stock_count_item i on i.shop_id = ${shopId} and i.count_id = c.id
  where c.shop_id = ${shopId} and c.location_id = ${locationId} and c.status = 'submitted'
    and i.counted_quantity is not null
  group by i.variant_id
`

/** SQL: the level `l` moved since an instant; the corrections of counts are no change. */
const movedSince = (shopId: number, locationId: number, since: FragmentSqlToken) => sql.fragment`
  exists (
    select
    from stock_movement m
    where m.shop_id = ${shopId} and m.variant_id = l.variant_id and m.location_id = ${locationId}
      and m.occurred_at >= ${since} and m.kind not in ('count', 'repair')
  )
`

const isOfClass = (shopId: number, abcClass: string) => sql.fragment`
  exists (
    select
    from variant_velocity y
    cross join (${knownDaysOf(shopId)}) known
    where y.shop_id = ${shopId} and y.variant_id = l.variant_id and y.abc_class = ${abcClass}
      and ${isKnownEnough('known', 'y')}
  )
`

/** SQL: the variant of the level `l` lies in a bin of the location, or with `*` in one that begins so, in any case. */
function liesIn(shopId: number, locationId: number, bin: string) {
  const isPrefix = bin.endsWith('*')
  const name = isPrefix ? bin.slice(0, -1) : bin
  return sql.fragment`
    exists (
      select
      from location_bin b
      where b.shop_id = ${shopId} and b.location_id = ${locationId} and b.variant_id = l.variant_id
        and ${isPrefix ? sql.fragment`starts_with(lower(b.bin), lower(${name}))` : sql.fragment`lower(b.bin) = lower(${name})`}
    )
  `
}
