import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import type { ReplenishmentBasis } from '../../../schemas/replenishment.ts'
import { daysKnown, knownDaysOf } from '../../ledgers/demand/known-days.ts'
import { rolledUntil } from '../../ledgers/demand/sold-at-location.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { isCurrent } from '../forecasts/usable.ts'
import { basisDays } from '../supply/demand.ts'
import { leadTimeColumns } from '../supply/lead-times.ts'
import { mainSuppliers } from '../supply/main-suppliers.ts'
import { chosenServiceLevel, knownClass } from '../supply/service-level.ts'
import { isAt, lastYearUnits, pastUnits, shareOf, velocityOf } from './candidate-demand.ts'

const Units = Type.Array(Type.Number())

export const Candidate = Type.Object({
  id: Id,
  variantId: Type.String(),
  productId: Type.String(),
  sku: Type.String(),
  title: Type.String(),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  supplierSku: Nullable(Type.String()),
  packSize: Type.Integer(),
  minimumQuantity: Nullable(Type.Integer()),
  quantityMultiple: Type.Integer(),
  currency: Type.String(),
  /** Percent, of the supplier. */
  taxRate: Type.Number(),
  /** Retail, in the currency of the shop. */
  price: Nullable(Type.Number()),
  supplierMinimumValue: Nullable(Type.Number()),
  supplierMinimumQuantity: Nullable(Type.Integer()),
  reviewDays: Type.Integer(),
  /** That the merchant chose for the reorder rule; null: that of the ABC class. */
  serviceLevel: Nullable(Type.Integer()),
  maxLevel: Nullable(Type.Integer()),
  abcClass: Nullable(Type.String()),
  onHand: Type.Integer(),
  today: Type.String(),
  week: Nullable(Type.String()),
  model: Nullable(Type.String()),
  wape: Nullable(Type.Number()),
  units: Nullable(Units),
  standardError: Nullable(Type.Number()),
  isOfType: Type.Boolean(),
  /** The part of the forecast that counts. A location without a current forecast of its own has its part of 90 days' sales. */
  share: Type.Number(),
  pastUnits: Type.Integer(),
  pastEmptyDays: Type.Integer(),
  pastDays: Type.Integer(),
  lastYearDays: Type.Integer(),
  lastYearWeeks: Type.Array(Type.Integer()),
  lastYearUnits: Units,
  lastYearEmptyDays: Type.Array(Type.Integer()),
  ...leadTimeColumns,
})
export type Candidate = Static<typeof Candidate>

type Wanted = {
  supplierId?: number | undefined
  basis: ReplenishmentBasis
  /** The row id of the location that counts; null: all together. */
  locationId: number | null
  /** Only these variants (row ids); undefined: all. */
  variantIds?: readonly number[] | undefined
  afterVariantId: number
  limit: number
}

/** SQL: the row ids of the variants that a supplier sells, or that a rule orders from it. */
const variantsOf = (shopId: number, supplierId: number) => sql.fragment`
  select x.variant_id from supplier_product x
  where x.shop_id = ${shopId} and x.supplier_id = ${supplierId} and x.is_active
  union
  select r.variant_id from reorder_rule r where r.shop_id = ${shopId} and r.supplier_id = ${supplierId}
`

/**
 * The variants of a supplier whose stock lasts the fewest weeks of their forecast, at most `limit`, by id. Those without a forecast come
 * last.
 */
export function readMostUrgent(
  db: Db,
  shopId: number,
  { supplierId, locationId, limit }: { supplierId: number; locationId: number | null; limit: number },
): Promise<readonly number[]> {
  return db.anyFirst(sql.typeAlias('id')`
    select urgent.id
    from (
      select v.id
      from (${variantsOf(shopId, supplierId)}) x
      join variant v on v.shop_id = ${shopId} and v.id = x.variant_id and v.deleted_at is null and v.is_tracked
      left join lateral (
        select f.units[1] as units
        from variant_forecast f
        where f.shop_id = ${shopId} and f.variant_id = v.id and f.location_id is null
        offset 0
      ) f on true
      cross join lateral (
        select coalesce(sum(l.quantity), 0) as on_hand
        from stock_level l
        where l.shop_id = ${shopId} and l.variant_id = v.id
          and (${locationId === null} or l.location_id = ${locationId}::bigint)
      ) stock
      order by stock.on_hand / nullif(f.units, 0), v.id
      limit ${limit}
    ) urgent
    order by urgent.id
  `)
}

/**
 * Reads the next variants that sell, by id, with their supplier, stock and demand; one statement, with one lookup per
 * variant in each table. The supplier is that of the reorder rule for all locations, else the preferred one of the catalogue.
 * With `locationId`, stock, demand and rule are those of the location; a rule of the location that names a supplier comes first. With
 * `supplierId`, other variants than the supplier's may be among them when a rule names another supplier.
 *
 * Before the first roll-up of demand, the sales of 30 days, or 90 for a longer basis, are those of the sales velocity: they have no
 * location, and those of last year are not known.
 */
export function readCandidates(db: Db, shopId: number, wanted: Wanted): Promise<readonly Candidate[]> {
  const { basis, locationId } = wanted
  const days = basisDays[basis]
  return db.any(sql.type(row(Candidate))`
    with shop as materialized (
      select known.*, ${currencyOf(shopId)} as currency, ${rolledUntil(shopId)} is not null as is_rolled_up
      from (${knownDaysOf(shopId)}) known
    ),
    ${sellingVariants(shopId, wanted)},
    ${mainSuppliers(shopId)}
    select c.variant_id as id, c.gid as variant_id, p.gid as product_id, c.sku, ${variantTitle('c', 'p')} as title,
      s.supplier_id, s.supplier_name, s.supplier_sku, s.pack_size, s.minimum_quantity, s.quantity_multiple,
      coalesce(s.currency, shop.currency) as currency, coalesce(s.default_tax_rate, 0)::float8 as tax_rate, c.price::float8 as price, s.minimum_order_value::float8 as supplier_minimum_value,
      s.minimum_order_quantity as supplier_minimum_quantity, s.review_days, c.service_level, c.max_level, ${knownClass('shop', 'c')} as abc_class,
      stock.on_hand, shop.today::text as today,
      c.week::text as week, c.model, c.wape, c.units, c.standard_error, coalesce(c.is_of_type, false) as is_of_type, part.share,
      past.units as past_units, past.empty_days as past_empty_days,
      greatest(
        case when shop.is_rolled_up then ${daysKnown('shop', 'c', days)} else ${daysKnown('shop', 'c', velocityOf(days).days)} end, 0
      ) as past_days,
      case when shop.is_rolled_up then greatest(${daysKnown('shop', 'c', 364)}, 0) else 0 end as last_year_days, last_year.weeks as last_year_weeks, last_year.units as last_year_units,
      last_year.empty_days as last_year_empty_days,
      s.measured_orders, s.mean_days, s.deviation_days, s.supplier_days
    from c
    cross join shop
    join main_supplier s on s.variant_id = c.variant_id
    cross join lateral (
      select p.gid, p.title
      from product p where p.shop_id = ${shopId} and p.id = c.product_id offset 0
    ) p
    cross join lateral (
      select coalesce(sum(l.quantity), 0) as on_hand
      from stock_level l
      where l.shop_id = ${shopId} and l.variant_id = c.variant_id and ${isAt('l', locationId)}
    ) stock
    cross join lateral (${shareOf(shopId, locationId)}) part
    cross join lateral (${pastUnits(shopId, basis, locationId)}) past
    cross join lateral (${lastYearUnits(shopId, basis, locationId)}) last_year
    order by c.variant_id
  `)
}

/** SQL: the next variants that sell, with their rule, forecast and velocity (`c`). */
const sellingVariants = (
  shopId: number,
  { supplierId, locationId, variantIds, afterVariantId, limit }: Wanted,
) => sql.fragment`
  c as materialized (
    select v.id as variant_id, v.gid, v.sku, v.title, v.price, v.confirmed_at, v.product_id, r.supplier_id, r.service_level, r.review_days, r.max_level,
      f.week, f.model, f.wape, f.units, f.standard_error, f.is_of_type, f.location_id as forecast_location_id, y.abc_class, y.first_day, y.units_30d,
      y.units_90d
    from variant v
    left join lateral (
      select * from variant_velocity y where y.shop_id = ${shopId} and y.variant_id = v.id offset 0
    ) y on true
    left join lateral (
      select r.location_id, ${chosenServiceLevel('r')} as service_level, r.review_days,
        coalesce(r.supplier_id, (
          select a.supplier_id from reorder_rule a where a.shop_id = ${shopId} and a.variant_id = v.id and a.location_id is null
        )) as supplier_id,
        case when r.location_id is not distinct from ${locationId}::bigint then r.max_level end as max_level
      from reorder_rule r
      where r.shop_id = ${shopId} and r.variant_id = v.id and (r.location_id is null or r.location_id = ${locationId}::bigint)
      order by r.location_id
      limit 1
    ) r on true
    left join lateral (
      select * from variant_forecast f
      where f.shop_id = ${shopId} and f.variant_id = v.id
        and (f.location_id is null or f.location_id = r.location_id and ${isCurrent(shopId, 'f')})
      order by f.location_id
      limit 1 -- one lookup per variant: without statistics Postgres picks a join of whole tables
    ) f on true
    where ${sql.and([
      sql.fragment`v.shop_id = ${shopId} and v.id > ${afterVariantId} and v.deleted_at is null and v.is_tracked`,
      sql.fragment`(f.id is not null or y.units_30d > 0)`,
      supplierId !== undefined && sql.fragment`v.id in (${variantsOf(shopId, supplierId)})`,
      variantIds !== undefined && sql.fragment`v.id = any(${sql.array([...variantIds], 'int8')})`,
    ])}
    order by v.id
    limit ${limit}
  )
`
