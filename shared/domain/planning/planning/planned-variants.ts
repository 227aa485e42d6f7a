import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Day, Id, Nullable } from '../../../schemas/common.ts'
import { todayOf } from '../../kit/date-range.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { launchWeeks } from '../forecasts/launches.ts'
import { leadTimeColumns } from '../supply/lead-times.ts'
import { mainSuppliers } from '../supply/main-suppliers.ts'

const PlannedVariant = Type.Object({
  id: Id,
  gid: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  price: Nullable(Type.Number()),
  /** The moving average, else the last cost. */
  unitCost: Nullable(Type.Number()),
  /** At all locations. */
  available: Type.Integer(),
  /** The Monday of the first week of `ahead`; null: no forecast. */
  week: Nullable(Type.String()),
  ahead: Type.Array(Type.Number()),
  /** Too young to say that it does not sell. */
  isNew: Type.Boolean(),
  /** The main supplier: that of the rule for all locations, else the preferred one. */
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  packSize: Type.Integer(),
  minimumQuantity: Nullable(Type.Integer()),
  quantityMultiple: Type.Integer(),
  reviewDays: Type.Integer(),
  today: Day,
  currency: Type.String(),
  ...leadTimeColumns,
})
export type PlannedVariant = Static<typeof PlannedVariant>

/** Reads what the planning reports need of these variants; deleted and untracked ones are left out. */
export function readPlannedVariants(
  db: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<readonly PlannedVariant[]> {
  return db.any(sql.type(row(PlannedVariant))`
    with c as materialized (
      select v.id as variant_id, v.gid, v.sku, v.title, v.confirmed_at, v.product_id, v.price,
        coalesce(k.average_cost, v.unit_cost) as unit_cost, r.supplier_id, r.review_days, f.week, f.units, y.first_day
      from variant v
      left join lateral (
        select f.week, f.units from variant_forecast f
        where f.shop_id = ${shopId} and f.variant_id = v.id and f.location_id is null
        offset 0 -- one lookup per variant: without statistics Postgres picks a join of whole tables
      ) f on true
      left join lateral (
        select y.first_day from variant_velocity y where y.shop_id = ${shopId} and y.variant_id = v.id offset 0
      ) y on true
      left join lateral (
        select k.average_cost from variant_cost k where k.shop_id = ${shopId} and k.variant_id = v.id offset 0
      ) k on true
      left join lateral (
        select r.supplier_id, r.review_days
        from reorder_rule r
        where r.shop_id = ${shopId} and r.variant_id = v.id and r.location_id is null
        offset 0
      ) r on true
      where v.shop_id = ${shopId} and v.id = any(${sql.array([...variantIds], 'int8')})
        and v.deleted_at is null and v.is_tracked
    ),
    ${mainSuppliers(shopId)}
    select c.variant_id as id, c.gid, c.sku, ${variantTitle('c', 'p')} as title, c.price::float8 as price,
      c.unit_cost::float8 as unit_cost, stock.available, c.week::text as week, coalesce(c.units, '{}') as ahead,
      coalesce(c.first_day > ${todayOf(shopId)} - ${launchWeeks * 7}::int, false) as is_new,
      s.supplier_id, s.supplier_name, s.pack_size, s.minimum_quantity, s.quantity_multiple, s.review_days,
      ${todayOf(shopId)}::text as today, ${currencyOf(shopId)} as currency,
      s.measured_orders, s.mean_days, s.deviation_days, s.supplier_days
    from c
    join main_supplier s on s.variant_id = c.variant_id
    cross join lateral (
      select p.title from product p where p.shop_id = ${shopId} and p.id = c.product_id offset 0
    ) p
    cross join lateral (
      select coalesce(sum(l.quantity), 0)::int as available
      from stock_level l
      where l.shop_id = ${shopId} and l.variant_id = c.variant_id
    ) stock
    order by c.variant_id
  `)
}
