import { Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { lastRateOf } from '../../../records/exchange-rates/exchange-rates.ts'
import type { Terms } from '../load.ts'
import type { PlannedCharge, PlannedLine } from './types.ts'
import type { Planned, WrittenOrder } from './written.ts'

const Added = Type.Object({ orderId: Id, charges: Type.Array(Id) })
const noRate = 'Charges are left out, since no exchange rate is known. Add them on the order.'

type Charged = {
  /** The message for the rows of an order of which a charge has no exchange rate. */
  left: Map<Planned, string>
  /** By order id: the ids of its new charges. */
  added: Map<number, number[]>
}

/** A new order with lines gets its charges. So does an existing order without charges that only imports have changed. */
const takesCharges = ({ known, lines }: WrittenOrder) =>
  known === null
    ? lines.length > 0
    : known.isUnchanged === true && !known.hasCharges && known.lineCount + lines.length > 0

/**
 * Inserts the charges of orders with lines. Goods that arrived in the past are not stocked, so it books no cost; goods that
 * arrive later get their share.
 */
export async function insertCharges(
  tx: Db,
  { shopId, actor, currency: shopCurrency }: Terms,
  orders: readonly WrittenOrder[],
  lineIds: ReadonlyMap<PlannedLine, number>,
): Promise<Charged> {
  const charged = orders.filter((order) => order.each.plan.charges.length > 0 && takesCharges(order))
  if (charged.length === 0) return { left: new Map(), added: new Map() }
  const records = charged.flatMap(({ each, id, lines, known }) =>
    each.plan.charges.map((charge, at) => ({
      at,
      order_id: id,
      ...amountsOf(charge, lines, lineIds),
      kind: charge.kind,
      amount: charge.amount,
      // the file may have another currency than an existing order
      currency:
        charge.currency ??
        each.plan.currency ??
        (known ? known.currency : each.supplier.currency) ??
        shopCurrency,
      rate: charge.rate,
      file_rate: charge.currency === null ? each.plan.rate : null,
      tax: charge.taxRate,
      is_estimate: charge.isEstimate,
    })),
  )
  const added = await tx.any(sql.type(row(Added))`
    with n as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
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
    where o.shop_id = ${shopId} and o.status <> 'cancelled' and o.id = any(${arrayOf('int8', charged, ({ id }) => id)})
  `)
  const chargesOf = new Map(added.map(({ orderId, charges }) => [orderId, charges]))
  const left = new Map(
    charged.flatMap(({ each, id }) =>
      (chargesOf.get(id) ?? each.plan.charges).length < each.plan.charges.length
        ? [[each, noRate] as const]
        : [],
    ),
  )
  return { left, added: new Map([...chargesOf].filter(([, charges]) => charges.length > 0)) }
}

/** Lines and shares by the ids of the new lines. Shares that name no line of the order are shared by value instead. */
function amountsOf(
  { basis, lines: lineIndexes, shares }: PlannedCharge,
  lines: readonly PlannedLine[],
  lineIds: ReadonlyMap<PlannedLine, number>,
) {
  const idAt = (lineIndex: number) => {
    const line = lines.find((each, at) => (each.lineIndex ?? at) === lineIndex)
    return line && lineIds.get(line)
  }
  const ids = lineIndexes?.flatMap((lineIndex) => idAt(lineIndex) ?? [])
  const amounts = shares?.flatMap(([lineIndex, amount]) => {
    const id = idAt(lineIndex)
    return id === undefined ? [] : [[id, amount] as const]
  })
  const isWhole = amounts !== undefined && amounts.length === shares?.length
  return {
    basis: basis === 'manual' && !isWhole ? 'value' : basis,
    lines: ids && ids.length > 0 ? ids : null,
    shares: basis === 'manual' && isWhole ? Object.fromEntries(amounts) : null,
  }
}
