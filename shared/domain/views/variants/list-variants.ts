import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { type VariantFilter, VariantListItem } from '../../../schemas/variants.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { matchesSearch } from '../../kit/search.ts'
import { knownDaysOf, periodDays } from '../../ledgers/demand/known-days.ts'
import { isComputed, readSuggestions, type Suggested } from '../../planning/reorder/suggestions.ts'
import { productOfRule } from '../../planning/supply/rule-supplier.ts'
import { thumbnailOf } from '../../records/catalogue/picture.ts'
import { matchesProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { costOfNewLine } from '../../records/supplier-prices/cost-of-new-line.ts'

const ListedVariant = Type.Composite([
  PairKey,
  Type.Omit(VariantListItem, ['pictureUrl', 'suggestedQuantity']),
  Type.Object({ picture: Nullable(Type.String()), lowRules: Type.Array(Id) }),
])
type ListedVariant = Static<typeof ListedVariant>

/** Days over which soldPerDay is averaged. */
const pacePeriod = 30

/**
 * The variants that can be put on a line, those of the newest product first. Leaves out deleted and unconfirmed ones. The
 * suggestions of all low variants of a page are computed together. `pictureOrigins` are those of the platform.
 */
export async function listVariants(
  db: Db,
  shopId: number,
  query: VariantFilter,
  pictureOrigins: readonly string[],
): Promise<Page<VariantListItem>> {
  const { low, supplierId, search, hideStock = false } = query
  if (low === 'supplier' && supplierId === undefined) {
    const message = 'must be given for the low products of a supplier'
    throw unprocessable('no_supplier', 'Choose the supplier.', [{ path: '/supplierId', message }])
  }
  const after = readPair(query.cursor)
  const isLow = sql.and([
    sql.fragment`r.is_low and ${isComputed('r')}`,
    low === 'supplier' &&
      sql.fragment`coalesce(r.supplier_id, (select x.supplier_id from (${productOfRule(shopId, 'r')}) x)) = ${supplierId ?? 0}`,
  ])
  const variants = await db.any(sql.type(row(ListedVariant))`
    with shop as materialized (${knownDaysOf(shopId)})
    select v.product_id as rank, v.id as row_id, v.gid as variant_id, p.gid as product_id, v.sku, v.barcode,
      ${variantTitle('v', 'p')} as title, p.picture, ${costOfNewLine(shopId, sql.fragment`v`, supplierId)} as cost_price,
      v.is_tracked, case when v.is_tracked and not ${hideStock} then coalesce((
        select sum(l.quantity) from stock_level l where l.shop_id = ${shopId} and l.variant_id = v.id
      ), 0) end as current_stock, (
        select round(y.units_30d::numeric / ${periodDays('shop', 'y', pacePeriod)}, 2)
        from variant_velocity y
        where y.shop_id = ${shopId} and y.variant_id = v.id
      ) as sold_per_day, coalesce((
        select jsonb_agg(r.id order by r.id) from reorder_rule r where r.shop_id = ${shopId} and r.variant_id = v.id and ${isLow} and v.is_tracked
      ), '[]') as low_rules
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    cross join shop
    where ${sql.and([
      sql.fragment`v.shop_id = ${shopId} and v.deleted_at is null and v.confirmed_at is not null`,
      matchesSearch('v', search),
      ...matchesProduct('p', query),
      low !== undefined &&
        sql.fragment`v.is_tracked and v.id in (select r.variant_id from reorder_rule r where r.shop_id = ${shopId} and ${isLow})`,
      after !== null &&
        sql.fragment`v.product_id <= ${after.rank} and (v.product_id < ${after.rank} or v.id > ${after.rowId})`,
    ])}
    order by v.product_id desc, v.id
    limit ${pageSize(query) + 1}
  `)
  const { records, next } = toPairPage(variants, query)
  const suggested = hideStock ? new Map<string, number>() : await suggestedFor(db, shopId, records)
  return {
    next,
    records: records.map(({ picture, lowRules: _, ...variant }) => ({
      ...variant,
      pictureUrl: thumbnailOf(picture, pictureOrigins),
      suggestedQuantity: suggested.get(variant.variantId) ?? null,
    })),
  }
}

/** The suggested quantities of low variants. */
async function suggestedFor(
  db: Db,
  shopId: number,
  variants: readonly ListedVariant[],
): Promise<ReadonlyMap<string, number>> {
  const ruleIds = variants.flatMap(({ lowRules }) => lowRules)
  if (ruleIds.length === 0) return new Map()
  const byVariant = Map.groupBy(await readSuggestions(db, shopId, { ruleIds }), ({ variantId }) => variantId)
  return new Map([...byVariant].map(([variantId, suggestions]) => [variantId, combined(suggestions)]))
}

/**
 * A rule for all locations counts the pieces of the rules of single locations, too.
 * Example: all locations need 40, the warehouse 30 and the shop 15: the larger of 40 and 30 + 15, so 45.
 */
function combined(suggestions: readonly Suggested[]): number {
  const sumOf = (isWanted: (suggestion: Suggested) => boolean) =>
    suggestions.reduce((sum, it) => sum + (isWanted(it) ? it.suggestedQuantity : 0), 0)
  return Math.max(
    sumOf(({ locationId }) => locationId === null),
    sumOf(({ locationId }) => locationId !== null),
  )
}
