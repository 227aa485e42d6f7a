import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { ReorderSuggestion, type ReorderSuggestionFilter } from '../../schemas/reorder-suggestions.ts'
import { isOfProduct } from '../catalogue/product-filter.ts'
import { variantTitle } from '../catalogue/variants.ts'
import { type Page, pageSize } from '../pages.ts'
import { knownDaysOf, periodDays } from '../sales/known-days.ts'
import { suggestFor } from './explain.ts'
import { leadTimeColumns, measuredLeadTime } from './lead-times.ts'
import { leadTimeOf } from './reorder-point.ts'

/** An average over fewer known days divides by these. */
const pacePeriod = 30

/** SQL condition: the numbers of a rule are not the placeholders of a new automatic rule. */
export function isComputed(rule: string) {
  const r = sql.identifier([rule])
  return sql.fragment`(${r}.mode <> 'auto' or ${r}.computed_at is not null)`
}

const LowRow = Type.Object({
  ...Type.Pick(ReorderSuggestion, ['variantId', 'sku', 'title', 'currentStock', 'reorderPoint']).properties,
  ...Type.Pick(ReorderSuggestion, ['reorderQuantity', 'supplierId', 'supplierName', 'productId']).properties,
  ...Type.Pick(ReorderSuggestion, ['ruleId', 'locationId', 'locationName', 'onOrder', 'inTransit'])
    .properties,
  inDraft: Type.Integer(),
  drafts: Type.Array(Type.String()),
  unitsSold: Type.Integer(),
  soldDays: Type.Integer(),
  today: Type.String(),
  isLocationInUse: Type.Boolean(),
  ...leadTimeColumns,
})

/** A suggestion with fields that only `createReorderDrafts` needs. */
export type Suggested = ReorderSuggestion & { drafts: readonly string[]; isLocationInUse: boolean }

/** Leaves out deleted and untracked variants, and automatic rules until they are computed. */
export async function listReorderSuggestions(
  db: Db,
  shopId: number,
  query: ReorderSuggestionFilter,
): Promise<Page<ReorderSuggestion>> {
  const suggestions = await readSuggestions(db, shopId, { page: query })
  const page = suggestions.slice(0, pageSize(query))
  return { records: page, next: suggestions.length > page.length ? (page.at(-1)?.ruleId ?? null) : null }
}

/** Those of some rules, or a page, newest first. An order without a destination arrives at the primary location. */
export async function readSuggestions(
  db: Db,
  shopId: number,
  { ruleIds, page }: { ruleIds?: readonly number[]; page?: ReorderSuggestionFilter },
): Promise<Suggested[]> {
  const rules = await db.any(sql.type(row(LowRow))`
    with r as materialized (
      select r.*
      from reorder_rule r
      cross join lateral (
        select v.is_tracked and v.deleted_at is null as is_tracked
        from variant v
        where v.shop_id = r.shop_id and v.id = r.variant_id
        offset 0 -- one lookup per rule: without statistics Postgres expects few rules and picks a slow join
      ) v
      where ${sql.and([
        sql.fragment`r.shop_id = ${shopId} and r.is_low and ${isComputed('r')} and v.is_tracked`,
        ruleIds && sql.fragment`r.id = any(${sql.array([...ruleIds], 'int8')})`,
        page !== undefined && isOfProduct(sql.fragment`r.variant_id`, shopId, page),
        page?.cursor !== undefined && sql.fragment`r.id < ${page.cursor}`,
      ])}
      ${page ? sql.fragment`order by r.id desc limit ${pageSize(page) + 1}` : sql.fragment``}
    )
    select v.gid as variant_id, v.sku, ${variantTitle('v', 'p')} as title, r.current_stock, r.reorder_point,
      r.reorder_quantity, r.supplier_id, s.name as supplier_name, p.gid as product_id, r.id as rule_id,
      w.gid as location_id, w.name as location_name, coalesce(w.is_active, true) as is_location_in_use,
      ordered.on_order, ordered.in_draft, ordered.drafts, moving.in_transit, coalesce(velocity.units_30d, 0) as units_sold,
      ${periodDays('shop', 'velocity', pacePeriod)} as sold_days, to_char(shop.today, 'YYYY-MM-DD') as today, lead.measured_orders, lead.mean_days,
      lead.deviation_days, s.lead_time_days as supplier_days
    from r
    cross join (${knownDaysOf(shopId)}) shop
    join variant v on v.shop_id = r.shop_id and v.id = r.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    left join supplier s on s.shop_id = r.shop_id and s.id = r.supplier_id
    left join location w on w.shop_id = r.shop_id and w.id = r.location_id
    left join variant_velocity velocity on velocity.shop_id = r.shop_id and velocity.variant_id = r.variant_id
    cross join lateral (
      select
        coalesce(sum(greatest(l.quantity - l.accepted - l.cancelled, 0)) filter (where o.status <> 'draft'), 0) as on_order,
        coalesce(sum(l.quantity) filter (where o.status = 'draft'), 0) as in_draft,
        coalesce(jsonb_agg(distinct o.po_number) filter (where o.status = 'draft'), '[]') as drafts
      from purchase_order_line l
      join purchase_order o on o.shop_id = l.shop_id and o.id = l.purchase_order_id
      where l.shop_id = r.shop_id and l.variant_id = r.variant_id and o.status in ('draft', 'sent', 'partial')
        and (
          r.location_id is null or o.destination_location_id = r.location_id
          or (o.destination_location_id is null and w.is_primary)
        )
    ) ordered
    cross join lateral (
      select coalesce(sum(i.quantity), 0) as in_transit
      from stock_transfer_item i
      join stock_transfer t on t.shop_id = i.shop_id and t.id = i.transfer_id
      where i.shop_id = r.shop_id and i.variant_id = r.variant_id and t.status = 'in_transit'
        and (r.location_id is null or t.destination_location_id = r.location_id)
    ) moving
    cross join lateral (${measuredLeadTime('r')}) lead
    order by r.id desc
  `)
  return rules.map(suggestionOf)
}

function suggestionOf({
  unitsSold,
  soldDays,
  today,
  measuredOrders,
  meanDays,
  deviationDays,
  supplierDays,
  ...rule
}: Static<typeof LowRow>): Suggested {
  const measured = { orders: measuredOrders, mean: meanDays, deviation: deviationDays }
  const leadTime = leadTimeOf(measured, supplierDays)
  return { ...rule, ...suggestFor({ ...rule, unitsSold, soldDays, today }, leadTime) }
}
