import { type Db, row, sql } from '../../../../db/db.ts'
import { OpenToBuy, type OpenToBuyFilter } from '../../../../schemas/planning.ts'
import { rateToShop } from '../../../documents/purchase-orders/currency.ts'
import { afterDiscount } from '../../../documents/purchase-orders/lines/discount.ts'
import { outstandingLines } from '../../../documents/purchase-orders/list/outstanding.ts'
import { postedAt } from '../../../documents/receipts/of-order.ts'
import { timeZoneOf, todayOf } from '../../../kit/date-range.ts'
import { orderExpectedAt, supplierDelays } from '../../../planning/supply/arrivals.ts'
import { currencyOf } from '../../../records/shops/currency.ts'
import { dueAt } from '../../../records/supplier-prices/due-at.ts'
import { withSpending } from '../buying-budgets/spending.ts'

const shownMonths = 12
const pastMonths = 2

/**
 * Money of twelve months, in the shop's currency without tax: what was ordered and what arrived in each month, what is still to arrive, and
 * what the forecast expects to sell, at cost. Goods arrive in the month in which the calendar of arrivals expects them. A week of the
 * forecast is divided among months by its days; a month that the forecast does not cover to its end has no need, since a part of it
 * would look like a small one.
 *
 * A budget is put to months by its days, too: 310 from 16 March to 15 April, which are 31 days, are 160 in March and 150 in April.
 * What is open to buy is that part without what was spent in the month, as budgets count it (`withSpending`): with orders of 100
 * in March, 60 are open.
 *
 * Example: 70 a week, in a week from Monday 30 March: 2 of its 7 days are in March, so 20 are in March and 50 in April.
 */
export function getOpenToBuy(db: Db, shopId: number, { from }: OpenToBuyFilter): Promise<OpenToBuy> {
  return db.one(sql.type(row(OpenToBuy))`
    with ${shownSpan(shopId, from)},
    ${orderedValues(shopId)},
    ${receivedValue(shopId)},
    ${forecastNeed(shopId)},
    ${budgetByMonth(shopId)}
    select shop.currency,
      (
        select jsonb_agg(jsonb_build_object(
          'month', to_char(m.month, 'YYYY-MM'),
          'orderedValue', coalesce(ordered.value, 0),
          'receivedValue', round(coalesce(received.value, 0), shop.digits),
          'arrivingValue', coalesce(arriving.value, 0),
          'forecastNeed', round(need.value, shop.digits),
          'budget', round(budget.value, shop.digits),
          'openToBuy', round(budget.open, shop.digits)
        ) order by m.month)
        from month m
        left join ordered on ordered.month = m.month
        left join received on received.month = m.month
        left join arriving on arriving.month = m.month
        left join need on need.month = m.month
          and m.month + interval '1 month - 1 day' <= (select until from forecast)
        left join budget on budget.month = m.month
      ) as months,
      (select until::text from forecast) as forecast_until,
      (select coalesce(sum(n.uncosted_units), 0) from forecast_need n where n.shop_id = ${shopId}) as uncosted_units,
      (
        select coalesce(sum(round(value * rate, shop.digits)), 0) from open where is_undated and rate is not null
      ) as without_date_value,
      (
        select count(*)::int
        from (select id from sent where rate is null union select id from open where rate is null) unknown
      ) as without_rate_count,
      (
        select count(*)::int
        from (select id from sent where has_unknown union select id from open where has_unknown) unknown
      ) as without_cost_count
    from shop
  `)
}

/** SQL: the months (`month`) and their `span`, and the currency of the shop (`shop`). */
const shownSpan = (shopId: number, from: string | undefined) => sql.fragment`
  span as materialized (
    select s.first, s.today,
      s.first::timestamp at time zone ${timeZoneOf(shopId)} as from_at,
      (s.first + make_interval(months => ${shownMonths}))::timestamp at time zone ${timeZoneOf(shopId)} as to_at
    from (select ${firstMonth(shopId, from)} as first, ${todayOf(shopId)} as today) s
  ),
  shop as materialized (
    select ${currencyOf(shopId)} as currency, minor_digits(${currencyOf(shopId)}) as digits
  ),
  month as (
    select m.day::date as month
    from span
    cross join generate_series(
      span.first::timestamp, span.first::timestamp + make_interval(months => ${shownMonths - 1}), interval '1 month'
    ) as m (day)
  )
`

/** SQL: the first month that is shown. */
const firstMonth = (shopId: number, from: string | undefined) =>
  from === undefined
    ? sql.fragment`(date_trunc('month', ${todayOf(shopId)}) - make_interval(months => ${pastMonths}))::date`
    : sql.fragment`${`${from}-01`}::date`

/** SQL: the month of an instant in the shop's time zone. */
const monthOf = (shopId: number, instant: ReturnType<typeof sql.fragment>) =>
  sql.fragment`date_trunc('month', ${instant} at time zone ${timeZoneOf(shopId)})::date`

/** SQL: the orders `sent` in the months and all `open` ones, and their value by month (`ordered`, `arriving`). */
const orderedValues = (shopId: number) => sql.fragment`
  delay as materialized (${supplierDelays(shopId)}),
  sent as materialized (
    select o.id, ${monthOf(shopId, sql.fragment`o.sent_at`)} as month,
      ${rateToShop(shopId, 'o')} as rate,
      l.value * ${afterDiscount('o')} as value,
      l.has_unknown
    from span
    join purchase_order o on o.shop_id = ${shopId} and o.sent_at >= span.from_at and o.sent_at < span.to_at
      and o.status in ('sent', 'partial', 'received')
    cross join lateral (
      select coalesce(sum((l.quantity - l.cancelled) * l.cost_price * (1 - l.discount_percent / 100)), 0) as value,
        bool_or(not l.is_cost_known and l.quantity > l.cancelled) as has_unknown
      from purchase_order_line l
      where l.shop_id = ${shopId} and l.purchase_order_id = o.id
    ) l
  ),
  open as materialized (
    select o.id, ${monthOf(shopId, orderExpectedAt(shopId, { order: 'o', supplier: 's', delay: 'd' }))} as month,
      ${rateToShop(shopId, 'o')} as rate,
      coalesce(l.value, 0) as value, ${dueAt('o', 's')} is null as is_undated, l.unknown_costs > 0 as has_unknown
    from purchase_order o
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    left join delay d on d.supplier_id = o.supplier_id
    cross join lateral (${outstandingLines(shopId, 'o')}) l
    where o.shop_id = ${shopId} and o.status in ('sent', 'partial') and l.line_count > 0
  ),
  ordered as (
    select month, sum(round(value * rate, shop.digits)) as value
    from sent cross join shop where rate is not null group by month
  ),
  arriving as (
    select month, sum(round(value * rate, shop.digits)) as value
    from open cross join shop where rate is not null and not is_undated group by month
  )
`

/** SQL: the value of receipts by month (`received`). */
const receivedValue = (shopId: number) => sql.fragment`
  received as (
    -- with what became known after the receipt
    select ${monthOf(shopId, postedAt('r'))} as month, sum(m.value + m.variance) as value
    from span
    join receipt r on r.shop_id = ${shopId} and ${postedAt('r')} >= span.from_at and ${postedAt('r')} < span.to_at
      and r.reversed_at is null and r.state = 'posted'
    join cost_movement m on m.shop_id = ${shopId} and m.receipt_id = r.id
    group by 1
  )
`

/** SQL: the end of the forecast (`forecast`), and the cost of what it expects to sell by month (`need`). */
const forecastNeed = (shopId: number) => sql.fragment`
  forecast as materialized (
    select max(week) + 6 as until from forecast_need where shop_id = ${shopId}
  ),
  need as (
    select date_trunc('month', n.week + d.day)::date as month, sum(n.value / 7) as value
    from span
    join forecast_need n on n.shop_id = ${shopId}
    cross join generate_series(0, 6) as d (day)
    where n.week + d.day >= span.today
    group by 1
  )
`

/** SQL: the budgets by month, and what is open of them (`budget`). */
const budgetByMonth = (shopId: number) => sql.fragment`
  part as materialized (
    select m.month, m.last_day, b.supplier_id,
      sum(
        b.amount * (least(b.ends_on, m.last_day) - greatest(b.starts_on, m.month) + 1) / (b.ends_on - b.starts_on + 1)
      ) as value
    from (select month, (month + interval '1 month - 1 day')::date as last_day from month) m
    join buying_budget b on b.shop_id = ${shopId} and b.starts_on <= m.last_day and b.ends_on >= m.month
    group by m.month, m.last_day, b.supplier_id
  ),
  budget as (
    select starts_on::date as month, sum(amount) as value, sum(remaining) as open
    from (${withSpending(shopId, budgetsOfMonths)}) b
    group by starts_on
  )
`

/** SQL: the parts of budgets as a budget of each month; budgets of suppliers are parts of one for all suppliers. */
const budgetsOfMonths = sql.fragment`
  select row_number() over (order by p.month, p.supplier_id) as id, '' as name, p.supplier_id, p.month as starts_on,
    p.last_day as ends_on, p.value as amount, 0 as version, '' as created_by, now() as created_at, now() as updated_at
  from part p
  where p.supplier_id is null or not exists (select from part a where a.month = p.month and a.supplier_id is null)
`
