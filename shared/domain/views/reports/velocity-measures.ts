import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'
import type { SalesPeriod, SalesVelocity } from '../../../schemas/reports.ts'
import { isoInstant } from '../../kit/date-range.ts'
import { isKnownEnough, knownDaysOf, periodDays } from '../../ledgers/demand/known-days.ts'

const daysOf = { '7d': 7, '30d': 30, '90d': 90 } as const

type Measure = Exclude<keyof SalesVelocity, 'variantId' | 'sku' | 'title' | 'currentStock'>

/**
 * SQL: the velocity of a period. It reads `y` of `variant_velocity`, `known` of `knownDaysOf`, and `stock` of
 * `stockOf`. Daily sales = units / the days of the period whose sales are known, at least 7. Days of stock = stock /
 * unrounded daily sales; 0 for negative stock, null without sales.
 */
export function velocityMeasures(period: SalesPeriod): Record<Measure, FragmentSqlToken> {
  const units = sql.fragment`${sql.identifier(['y', `units_${period}`])}`
  const days = periodDays('known', 'y', daysOf[period])
  return {
    unitsSold: units,
    avgDailySales: sql.fragment`round(${units}::numeric / ${days}, 2)`,
    daysOfStockRemaining: sql.fragment`
      round(greatest(stock.current_stock, 0)::numeric * ${days} / nullif(${units}, 0), 1)
    `,
    returnedUnits: sql.fragment`${sql.identifier(['y', `returned_${period}`])}`,
    periodDays: days,
    knownSince: sql.fragment`known.known_since`,
    confidence: sql.fragment`case when ${isKnownEnough('known', 'y')} then 'high' else 'low' end`,
  }
}

/** SQL: the available stock of variant velocity `y` at all locations. */
export const stockOf = (shopId: number) => sql.fragment`
  select coalesce(sum(l.quantity), 0) as current_stock
  from stock_level l
  where l.shop_id = ${shopId} and l.variant_id = y.variant_id
`

/** SQL: the velocity of variant `v` by period, as JSON; null where it is not computed or the stock is not tracked. */
export function velocityOf(shopId: number): FragmentSqlToken {
  const ofPeriod = (period: SalesPeriod) => {
    const { unitsSold, avgDailySales, daysOfStockRemaining, ...others } = velocityMeasures(period)
    return sql.fragment`
      jsonb_build_object(
        'unitsSold', ${unitsSold}, 'avgDailySales', ${avgDailySales}, 'daysOfStockRemaining', ${daysOfStockRemaining},
        'returnedUnits', ${others.returnedUnits}, 'periodDays', ${others.periodDays},
        'knownSince', ${isoInstant(others.knownSince)}, 'confidence', ${others.confidence}
      )
    `
  }
  return sql.fragment`
    coalesce(
      (
        select jsonb_build_object('7d', ${ofPeriod('7d')}, '30d', ${ofPeriod('30d')}, '90d', ${ofPeriod('90d')})
        from variant_velocity y
        cross join (${knownDaysOf(shopId)}) known
        cross join lateral (${stockOf(shopId)}) stock
        where y.shop_id = ${shopId} and y.variant_id = v.id and v.deleted_at is null and v.is_tracked
      ),
      '{"7d": null, "30d": null, "90d": null}'
    )
  `
}
