import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { lastRateOf } from '../../../records/exchange-rates/exchange-rates.ts'

/** A new charge of an imported order, by the names that the statement reads. */
export type ImportedCharge = {
  order_id: number
  /** Its place among the charges of the order. */
  at: number
  kind: string
  amount: number
  currency: string
  /** Of the charge itself, then that of the file; null: that of the order, then the last one. */
  rate: number | null
  file_rate: number | null
  tax: number
  basis: string
  /** Ids of lines; null: all of them. */
  lines: readonly number[] | null
  /** By id of the line. */
  shares: Readonly<Record<string, number>> | null
  is_estimate: boolean
}

const Added = Type.Object({ orderId: Id, charges: Type.Array(Id) })

/**
 * Inserts the charges for which an exchange rate is known. Goods that arrived in the past are not stocked, so it books no cost;
 * goods that arrive later get their share. Returns, by order id, the new ids of each order that is not cancelled.
 */
export async function insertImportedCharges(
  tx: Db,
  shopId: number,
  { actor, currency: shopCurrency }: { actor: string; currency: string },
  charges: readonly ImportedCharge[],
): Promise<Map<number, number[]>> {
  if (charges.length === 0) return new Map()
  const added = await tx.any(sql.type(row(Added))`
    with n as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(charges)}::jsonb) as n (
        at int, order_id bigint, kind text, amount numeric, currency text, rate numeric, file_rate numeric, tax numeric,
        basis text, lines bigint[], shares jsonb, is_estimate boolean
      )
    ),
    rated as (
      select n.*, case
          when n.currency = ${shopCurrency} then 1
          else coalesce(n.rate, case when o.currency = n.currency then o.rate end, n.file_rate, ${lastRateOf(shopId, sql.fragment`n.currency`)})
        end as known_rate,
        -- a file may repeat the rate of the order
        n.rate is not null and n.currency <> ${shopCurrency}
          and (n.currency, n.rate) is distinct from (o.currency, o.rate) as is_rate_typed
      from n
      join purchase_order o on o.shop_id = ${shopId} and o.id = n.order_id and o.status <> 'cancelled'
    ),
    added as (
      insert into purchase_order_charge (
        shop_id, purchase_order_id, kind, amount, currency, rate, is_rate_typed, tax_rate, basis, line_ids, shares, is_estimate,
        created_by
      )
      select ${shopId}, order_id, kind, round(amount, minor_digits(currency)), currency, known_rate, is_rate_typed, tax, basis,
        lines, shares, is_estimate, ${actor}
      from rated
      where known_rate > 0
      order by order_id, at
      returning id, purchase_order_id
    )
    select o.id as order_id, coalesce((
      select jsonb_agg(a.id) from added a where a.purchase_order_id = o.id
    ), '[]') as charges
    from purchase_order o
    where o.shop_id = ${shopId} and o.status <> 'cancelled' and o.id = any(${arrayOf('int8', charges, ({ order_id }) => order_id)})
  `)
  return new Map(added.map(({ orderId, charges: ids }) => [orderId, ids]))
}
