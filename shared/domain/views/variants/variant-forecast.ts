import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { oneDecimal } from '../../../one-decimal.ts'
import { Day, Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import type { VariantForecast } from '../../../schemas/forecasts.ts'
import { todayOf } from '../../kit/date-range.ts'
import {
  mondayOf,
  readWeeks,
  seasonWeeks,
  thisWeekOf,
  type WeeklyDemand,
  weekNumber,
  weeksAhead,
} from '../../planning/forecasts/weeks.ts'
import { readArrivals } from '../../planning/supply/arrivals.ts'
import { projectStock } from '../../planning/supply/project-stock.ts'
import { readMoving } from '../../planning/supply/transit.ts'
import { gapsOfVariant } from '../reports/stock-gaps.ts'

/** Four of five values of a normal distribution are within 1.2816 standard deviations of its mean. */
const bandDeviations = 1.2816

const Facts = Type.Object({
  id: Id,
  today: Day,
  thisWeek: Type.Integer(),
  available: Type.Integer(),
  /** The number of the first week of `units`. */
  week: Nullable(Type.Integer()),
  model: Nullable(Type.String()),
  units: Type.Array(Type.Number()),
  standardError: Type.Number(),
  isOfType: Type.Boolean(),
  isStale: Type.Boolean(),
  wape: Nullable(Type.Number()),
  bias: Nullable(Type.Number()),
  unitsPerWeek: Nullable(Type.Number()),
  enteredBy: Nullable(Type.String()),
  enteredAt: Nullable(Timestamp),
  version: Type.Integer(),
})

/** What a variant sold, what is expected of it, and how long its stock lasts, at all locations. Throws not_found. */
export async function getVariantForecast(db: Db, shopId: number, gid: string): Promise<VariantForecast> {
  const facts = await db.maybeOne(sql.type(row(Facts))`
    select v.id, ${todayOf(shopId)}::text as today, ${weekNumber(thisWeekOf(shopId))} as this_week,
      (
        select coalesce(sum(l.quantity), 0)::int from stock_level l where l.shop_id = ${shopId} and l.variant_id = v.id
      ) as available,
      ${weekNumber(sql.fragment`f.week`)} as week, f.model, coalesce(f.units, '{}') as units,
      coalesce(f.standard_error, 0) as standard_error, coalesce(f.is_of_type, false) as is_of_type,
      coalesce(f.is_stale, false) as is_stale, f.wape, f.bias, e.units_per_week,
      case when e.units_per_week is not null then e.entered_by end as entered_by,
      case when e.units_per_week is not null then e.entered_at end as entered_at, coalesce(e.version, 0) as version
    from variant v
    left join variant_forecast f on f.shop_id = ${shopId} and f.variant_id = v.id and f.location_id is null
    left join forecast_entry e on e.shop_id = ${shopId} and e.variant_id = v.id
    where v.shop_id = ${shopId} and v.gid = ${gid}
  `)
  if (!facts) throw notFound('Product')
  const { id, today, thisWeek, units, standardError, ...shown } = facts
  const [demand] = await readWeeks(db, shopId, [{ variantId: id, locationId: null }])
  const arrivals = await readArrivals(db, shopId, [id])
  const moving = await readMoving(db, shopId, [id])
  const week = facts.week ?? thisWeek
  const weeks = units.slice(0, weeksAhead)
  const end = Date.parse(mondayOf(week + weeks.length)) - Date.parse(today)
  const { projected, gapOn, nextArrivalOn, missingUnits } = projectStock({
    ...{ today, available: shown.available, ahead: units, week: mondayOf(week) },
    days: weeks.length === 0 ? 0 : Math.max(0, end / 86_400_000),
    arrivals: [
      ...arrivals.flatMap(({ day, quantity }) => (day === null ? [] : [{ day, quantity }])),
      ...moving,
    ],
  })
  const { available, model, isOfType, isStale, wape, bias, unitsPerWeek, enteredBy, enteredAt, version } =
    shown
  return {
    variantId: gid,
    history: demand ? historyOf(demand) : [],
    ...{ model, isOfType, isStale, wape, bias },
    weeks: weeks
      .map((mean, at) => ({
        week: mondayOf(week + at),
        units: oneDecimal(mean),
        low: oneDecimal(Math.max(0, mean - bandDeviations * standardError)),
        high: oneDecimal(mean + bandDeviations * standardError),
      }))
      .slice(Math.max(0, thisWeek - week)),
    arrivals: arrivals.map(
      ({ variantId: _variantId, supplierId: _supplierId, locationId: _locationId, day: _day, ...arrival }) =>
        arrival,
    ),
    available,
    ...{ projected, gapOn, nextArrivalOn, missingUnits },
    gaps: await gapsOfVariant(db, shopId, id),
    ...{ unitsPerWeek, enteredBy, enteredAt, version },
  }
}

/** The complete weeks of the last 52; a week without a sale has 0 units. */
function historyOf({
  firstWeek,
  thisWeek,
  weeks,
  units,
  emptyDays,
}: WeeklyDemand): VariantForecast['history'] {
  const from = Math.max(firstWeek, thisWeek - seasonWeeks)
  return Array.from({ length: Math.max(0, thisWeek - from) }, (_, place) => {
    const at = weeks.indexOf(from + place)
    const daysInStock = 7 - (emptyDays[at] ?? 0)
    return { week: mondayOf(from + place), units: units[at] ?? 0, inStock: daysInStock === 7, daysInStock }
  })
}
