import { type Db, row, sql } from '../../../db/db.ts'
import type { ReorderSuggestion, ReorderSuggestionFilter } from '../../../schemas/reorder-suggestions.ts'
import { type Page, type PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { isFoundAtSuppliers } from '../../kit/search.ts'
import { knownDaysOf, periodDays } from '../../ledgers/demand/known-days.ts'
import { emptyDaysOf, rolledUntil, soldAtLocation } from '../../ledgers/demand/sold-at-location.ts'
import { isOfProduct } from '../../records/catalogue/product-filter.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { selectedForecast, usableForecast } from '../forecasts/usable.ts'
import { measuredLeadTime } from '../supply/lead-times.ts'
import { productOfRule } from '../supply/rule-supplier.ts'
import { chosenServiceLevel, knownClass } from '../supply/service-level.ts'
import { LowRow, suggestionsOf } from './suggestions-of-rules.ts'

/** Days over which avgDailySales is averaged. */
const pacePeriod = 30

/** SQL condition: the numbers of a rule are not the placeholders of a new automatic rule. */
export function isComputed(rule: string) {
  const r = sql.identifier([rule])
  return sql.fragment`(${r}.mode <> 'auto' or ${r}.computed_at is not null)`
}

/** Later than any stockout date, which is at most a hundred years away (`explain.ts`). */
const noStockout = 40_000
const maxCents = 99_999_999_999

/**
 * SQL for the place of a low rule `r` in the list, as one number so that a cursor can hold it: first the whole days
 * until its stock is sold out, then the cost of its reorder quantity, the highest first. A smaller rank is more urgent.
 * Computed for each low rule when a page is read: a stored rank with an index would make each change of a rule's stock
 * write all indexes of the rule.
 * Example: stock 20, 60 sold in 30 days, 18 to order at 4.50: 10 days and 8 100 cents, so 10 99999991899.
 */
const rankOf = sql.fragment`
  least(
    case when velocity.units > 0 then greatest(r.current_stock, 0)::bigint * velocity.days / velocity.units end,
    ${noStockout}
  )::bigint * ${maxCents + 1}::bigint
    + ${maxCents}::bigint - least(round(r.reorder_quantity * coalesce(v.unit_cost, 0) * 100), ${maxCents})::bigint
`

/** A suggestion with fields that only `createReorderDrafts` and the cursor need. */
export type Suggested = ReorderSuggestion & PairKey & { isLocationInUse: boolean }

/**
 * The most urgent first. Leaves out deleted and untracked variants, and automatic rules until they are computed. The search
 * covers titles, SKU, barcode, and the SKUs and pack barcodes of suppliers. When stock or sales change between two pages, a
 * suggestion may be on both or on neither.
 */
export async function listReorderSuggestions(
  db: Db,
  shopId: number,
  query: ReorderSuggestionFilter,
): Promise<Page<ReorderSuggestion>> {
  return toPairPage(await readSuggestions(db, shopId, { page: query }), query)
}

type Wanted = { ruleIds?: readonly number[]; page?: ReorderSuggestionFilter }

/** Reads the suggestions of some rules, or a page. An order without a destination arrives at the primary location. */
export async function readSuggestions(db: Db, shopId: number, wanted: Wanted): Promise<Suggested[]> {
  const rules = await db.any(sql.type(row(LowRow))`
    with shop as materialized (
      select known.*, ${rolledUntil(shopId)} as rolled_until from (${knownDaysOf(shopId)}) known
    ),
    ${mostUrgent(shopId, wanted)}
    select v.gid as variant_id, v.sku, v.title, r.current_stock, r.reorder_point,
      r.reorder_quantity, chosen.supplier_id, s.name as supplier_name, r.variant_id as variant_row_id,
      r.location_id as location_row_id, r.mode, r.inputs,
      ${chosenServiceLevel('r')} as chosen_service_level, ${knownClass('shop', 'y')} as abc_class, r.review_days, r.max_level, s.order_cycle_days,
      ${selectedForecast},
      coalesce(product.supplier_sku, '') as supplier_sku, coalesce(product.pack_size, 1) as pack_size,
      product.minimum_quantity, coalesce(product.quantity_multiple, 1) as quantity_multiple,
      coalesce(s.currency, ${currencyOf(shopId)}) as currency, v.product_gid as product_id, r.id as rule_id,
      w.gid as location_id, w.name as location_name, coalesce(w.is_active, true) as is_location_in_use,
      ordered.on_order, ordered.in_draft, ordered.drafts, moving.in_transit, r.units_sold, r.sold_days,
      ${emptyDaysOf(shopId, sql.fragment`r.variant_id`, sql.fragment`r.location_id`, pacePeriod)} as empty_days,
      r.rank, r.id as row_id, to_char(shop.today, 'YYYY-MM-DD') as today, lead.measured_orders, lead.mean_days,
      lead.deviation_days, coalesce(product.lead_time_days, s.lead_time_days) as supplier_days
    from r
    cross join shop
    cross join lateral (
      select v.gid, v.sku, ${variantTitle('v', 'p')} as title, p.gid as product_gid
      from variant v
      join product p on p.shop_id = ${shopId} and p.id = v.product_id
      where v.shop_id = ${shopId} and v.id = r.variant_id
      offset 0 -- as in mostUrgent
    ) v
    left join lateral (${productOfRule(shopId, 'r')}) product on true
    cross join lateral (select coalesce(r.supplier_id, product.supplier_id) as supplier_id) chosen
    left join lateral (
      select name, lead_time_days, currency, order_cycle_days
      from supplier
      where shop_id = ${shopId} and id = chosen.supplier_id
      offset 0
    ) s on true
    left join location w on w.shop_id = ${shopId} and w.id = r.location_id
    left join lateral (
      select y.abc_class, y.first_day from variant_velocity y
      where y.shop_id = ${shopId} and y.variant_id = r.variant_id
      offset 0
    ) y on true
    cross join lateral (${orderedPieces(shopId)}) ordered
    cross join lateral (${movingPieces(shopId)}) moving
    cross join lateral (${measuredLeadTime(shopId, 'chosen')}) lead
    left join lateral (${usableForecast(shopId, 'r')}) f on true
    order by r.rank, r.id desc
  `)
  return suggestionsOf(db, shopId, rules)
}

/** SQL: the wanted low rules with their urgency (`r`); of a page, the most urgent ones. */
function mostUrgent(shopId: number, { ruleIds, page }: Wanted) {
  const after = readPair(page?.cursor)
  return sql.fragment`
    r as materialized (
      select r.*, urgency.rank, velocity.units as units_sold, velocity.days as sold_days
      from reorder_rule r
      cross join shop
      cross join lateral (
        select v.is_tracked and v.deleted_at is null as is_tracked, v.unit_cost
        from variant v
        where v.shop_id = ${shopId} and v.id = r.variant_id
        offset 0 -- one lookup per rule: without statistics Postgres expects few rules and picks a slow join
      ) v
      cross join lateral (
        select case
            -- before the first roll-up, sales have no location
            when r.location_id is null or shop.rolled_until is null then coalesce(y.units_30d, 0)
            else ${soldAtLocation(shopId, sql.fragment`r.variant_id`, sql.fragment`r.location_id`, pacePeriod)}
          end as units,
          ${periodDays('shop', 'y', pacePeriod)} as days
        from (values (1)) as always (one)
        left join variant_velocity y on y.shop_id = ${shopId} and y.variant_id = r.variant_id
        offset 0
      ) velocity
      cross join lateral (select ${rankOf} as rank) urgency
      where ${sql.and([
        sql.fragment`r.shop_id = ${shopId} and r.is_low and ${isComputed('r')} and v.is_tracked`,
        ruleIds && sql.fragment`r.id = any(${sql.array([...ruleIds], 'int8')})`,
        isFoundAtSuppliers(sql.fragment`r.variant_id`, shopId, page?.search),
        page !== undefined && isOfProduct(sql.fragment`r.variant_id`, shopId, page),
        after !== null &&
          sql.fragment`(urgency.rank, -r.id) > (${after.rank}::bigint, -${after.rowId}::bigint)`,
      ])}
      ${page ? sql.fragment`order by urgency.rank, r.id desc limit ${pageSize(page) + 1}` : sql.fragment``}
    )
  `
}

/** SQL: the pieces of the variant of rule `r` that are on order or in a draft for its location `w`, or for all. */
const orderedPieces = (shopId: number) => sql.fragment`
  select
    coalesce(sum(greatest(l.quantity - l.accepted - l.cancelled, 0)) filter (where o.status <> 'draft'), 0) as on_order,
    coalesce(sum(l.quantity) filter (where o.status = 'draft'), 0) as in_draft,
    coalesce(
      jsonb_agg(distinct jsonb_build_object('id', o.id, 'poNumber', o.po_number)) filter (where o.status = 'draft'),
      '[]'
    ) as drafts
  from purchase_order_line l
  join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
  where l.shop_id = ${shopId} and l.variant_id = r.variant_id and o.status in ('draft', 'sent', 'partial')
    and (
      r.location_id is null or o.destination_location_id = r.location_id
      or (o.destination_location_id is null and w.is_primary)
    )
`

/** SQL: the pieces of the variant of rule `r` that are on their way to its location, or to any. */
const movingPieces = (shopId: number) => sql.fragment`
  select coalesce(sum(i.in_transit), 0) as in_transit
  from stock_transfer_item i
  join stock_transfer t on t.shop_id = ${shopId} and t.id = i.transfer_id
  where i.shop_id = ${shopId} and i.variant_id = r.variant_id and i.in_transit > 0
    and (r.location_id is null or t.destination_location_id = r.location_id)
`
