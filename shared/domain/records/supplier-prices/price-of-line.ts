import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { choices, Id, Nullable } from '../../../schemas/common.ts'
import { PriceBreak } from '../../../schemas/purchase-orders.ts'
import { todayOf } from '../../kit/date-range.ts'
import { currencyOf } from '../shops/currency.ts'
import { netPrice } from './net-price.ts'

/** A line whose terms are wanted. Without `supplierSku`, the supplier's best-ranked packaging of the variant counts. */
export type WantedLine = {
  variantRowId: number
  supplierId: number
  supplierSku?: string | undefined
  /** The line has a supplier SKU that the catalogue does not have, so no packaging counts. */
  isUnlisted?: boolean
  /** Without it, `packs` of `packSize` pieces, or of the catalogue's pack size. */
  quantity?: number | undefined
  packs?: number | undefined
  packSize?: number | undefined
  /** The line has a cost of its own, so the price of the catalogue and of the last order are not read. */
  hasCost?: boolean
  /** ISO 4217: the order's. */
  currency: string
}

/** `catalogue`: an agreed price; `last_order`: that of the supplier's last order; `variant`: the variant's cost. */
const PriceSource = choices('catalogue', 'last_order', 'variant', 'none')

export const LineTerms = Type.Object({
  /** Null when the supplier's catalogue does not have the variant. */
  supplierProductId: Nullable(Id),
  supplierSku: Type.String(),
  /** Pieces of the line. */
  quantity: Type.Integer(),
  packSize: Type.Integer(),
  minimumQuantity: Nullable(Type.Integer()),
  quantityMultiple: Type.Integer(),
  leadTimeDays: Nullable(Type.Integer()),
  price: Nullable(Type.Number()),
  /** The price before the discount of the supplier's last order. */
  fullPrice: Nullable(Type.Number()),
  priceSource: PriceSource,
  /** Today's prices in the order's currency, by quantity. */
  breaks: Type.Array(PriceBreak),
})
export type LineTerms = Static<typeof LineTerms>

const StoredTerms = Type.Object({ at: Type.Integer(), ...LineTerms.properties })

/**
 * The terms of each line, in the order of the lines. The price is the first that exists of:
 *
 * 1. the supplier's price on the day, in the currency, with the largest `min_quantity` that the quantity reaches; a quantity of 0,
 *    which is not known yet, counts as 1
 * 2. the price, after the line's discount, of the supplier's newest order line in the currency that was sent and not cancelled, of
 *    the same supplier SKU of the catalogue if there is one: a draft is no price
 * 3. the variant's cost, if the currency is the shop's
 *
 * `day` is a date of the shop, without it today. Example: prices of 2.00 from 1 piece and 1.80 from 48; 24 pieces cost
 * 2.00 each, 48 cost 1.80. One statement reads all lines.
 */
export async function readLineTerms(
  db: Db,
  shopId: number,
  lines: readonly WantedLine[],
  day?: string,
): Promise<readonly LineTerms[]> {
  if (lines.length === 0) return []
  const rows = lines.map((line, at) => [
    at,
    line.variantRowId,
    line.supplierId,
    line.supplierSku ?? null,
    line.isUnlisted ?? false,
    line.quantity ?? null,
    line.packs ?? null,
    line.packSize ?? null,
    line.hasCost ?? false,
    line.currency,
  ])
  const stored = await db.any(sql.type(row(StoredTerms))`
    with wanted as materialized (
      select *
      from ${sql.unnest(rows, ['int4', 'int8', 'int8', 'text', 'bool', 'int8', 'int8', 'int8', 'bool', 'text'])}
        as input (at, variant_id, supplier_id, supplier_sku, is_unlisted, quantity, packs, pack_size, has_cost, currency)
    ),
    shop as materialized (
      select ${day === undefined ? todayOf(shopId) : sql.fragment`${day}::date`} as day,
        ${currencyOf(shopId)} as currency
    )
    select w.at, p.id as supplier_product_id, coalesce(p.supplier_sku, w.supplier_sku, '') as supplier_sku,
      pieces.quantity,
      coalesce(p.pack_size, 1) as pack_size, p.minimum_quantity, coalesce(p.quantity_multiple, 1) as quantity_multiple,
      p.lead_time_days, coalesce(agreed.price, last.price, v.unit_cost) as price,
      coalesce(agreed.price, last.full_price, v.unit_cost) as full_price,
      case
        when agreed.price is not null then 'catalogue'
        when last.price is not null then 'last_order'
        when v.unit_cost is not null then 'variant'
        else 'none'
      end as price_source,
      coalesce(agreed.breaks, '[]') as breaks
    from wanted w
    cross join shop
    left join lateral packaging_of(${shopId}, w.variant_id, w.supplier_id, w.supplier_sku) p on not w.is_unlisted
    cross join lateral (
      select coalesce(w.quantity, w.packs * coalesce(w.pack_size, p.pack_size, 1), 1) as quantity
    ) pieces
    left join lateral (
      select (array_agg(c.price order by c.min_quantity desc) filter (where c.min_quantity <= greatest(pieces.quantity, 1)))[1]
          as price,
        jsonb_agg(jsonb_build_object('minQuantity', c.min_quantity, 'price', c.price) order by c.min_quantity) as breaks
      from supplier_price c
      where not w.has_cost
        and c.shop_id = ${shopId} and c.supplier_product_id = p.id and c.currency = w.currency
        and daterange(c.valid_from, c.valid_to, '[]') @> shop.day
    ) agreed on true
    left join lateral (
      select line.net_price as price, line.full_price
      from (${newestLine(
        shopId,
        { variant: sql.fragment`w.variant_id`, sku: sql.fragment`p.supplier_sku` },
        sql.fragment`o.supplier_id = w.supplier_id and o.status not in ('draft', 'cancelled')
          and coalesce(o.currency, shop.currency) = w.currency`,
      )}) line
      where not w.has_cost and agreed.price is null
    ) last on true
    left join variant v on v.shop_id = ${shopId} and v.id = w.variant_id and w.currency = shop.currency
    order by w.at
  `)
  return stored.map(({ at: _at, ...terms }) => terms)
}

/**
 * The prices by quantity that a line follows when its quantity changes: those of the catalogue while its price is that of the
 * catalogue (`terms` of its quantity before). A price that was typed stays.
 */
export const followedBreaks = (costPrice: number | null, terms: LineTerms | undefined) =>
  terms?.priceSource === 'catalogue' && terms.price === costPrice ? terms.breaks : []

/** The price of a quantity, with the breaks that the line follows. */
export const priceAt = (
  breaks: LineTerms['breaks'],
  { quantity, costPrice }: { quantity: number; costPrice: number | null },
) => breaks.findLast(({ minQuantity }) => minQuantity <= quantity)?.price ?? costPrice

/**
 * SQL for the newest line of a variant whose order `o` meets a condition: its price after the line's discount, and when the order was
 * sent or created. The newest is by that instant, since an import of the past adds old orders with new ids. A line of the supplier SKU
 * comes before lines of others, whose pieces may cost less in larger packs.
 */
export function newestLine(
  shopId: number,
  { variant, sku }: { variant: FragmentSqlToken; sku: FragmentSqlToken },
  condition: FragmentSqlToken,
) {
  return sql.fragment`
    select ${netPrice('l')} as net_price, l.cost_price as full_price, of_line.at
    from purchase_order_line l
    cross join lateral (
      select coalesce(o.sent_at, o.created_at) as at
      from purchase_order o
      where o.shop_id = ${shopId} and o.id = l.purchase_order_id and ${condition}
      offset 0 -- one lookup per line: Postgres would read all orders of the supplier for each variant
    ) of_line
    where l.shop_id = ${shopId} and l.variant_id = ${variant} and l.is_cost_known
    order by l.supplier_sku = ${sku} desc, of_line.at desc, l.id desc
    limit 1
  `
}
