import { meanOf, sumOf } from '../../../forecast/series.ts'
import type { ReplenishmentBasis } from '../../../schemas/replenishment.ts'

/** What is known about the demand of a variant; weeks of last year count from the day 364 days before today. */
export type KnownDemand = {
  today: string
  week: string | null
  model: string | null
  wape: number | null
  units: readonly number[] | null
  standardError: number | null
  isOfType: boolean
  /** Units and days without stock of the last `pastDays` days before today. */
  pastUnits: number
  pastEmptyDays: number
  pastDays: number
  /** For how many of the last 364 days the sales of the variant are known. */
  lastYearDays: number
  lastYearWeeks: readonly number[]
  lastYearUnits: readonly number[]
  lastYearEmptyDays: readonly number[]
}

/** An average over fewer days in stock says little. */
const minDaysInStock = 14
const minDivisor = 7
const seasonWeeks = 52
/** A week with fewer days in stock does not say what the demand was. */
const minDaysOfWeek = 4
/** Lead time and cover together are at most three years. */
const weeksAhead = 156

export const basisDays: Record<ReplenishmentBasis, number> = {
  '30d': 30,
  '60d': 60,
  '90d': 90,
  last_year: 30,
  forecast: 30,
}

export type ChosenDemand = {
  week: string
  units: readonly number[]
  standardError: number
  method: string
  /** Of a mean of past days: how many it counts. `areInStock`: days without stock are left out. */
  counted?: { days: number; areInStock: boolean }
  /** Of last year, when weeks of the horizon are not known, or none: what takes their place. */
  filled?: { isWhole: boolean; by: 'forecast' | 'weeks' | 'days' }
  wape: number | null
  confidence: 'normal' | 'low'
}

/**
 * The demand by week of a basis and its error, both with growth in percent. A mean of past days leaves out days without stock. The error is
 * that of the forecast; without one that of counts (Poisson), the root of the mean. Without a forecast, the mean of 30
 * days takes its place. The order has to last for `horizonDays`.
 *
 * Example: 30 days, 26 units, 4 days without stock: 26 / 26 · 7 = 7 a week, with an error of √7.
 */
export function demandOf(
  known: KnownDemand,
  basis: ReplenishmentBasis,
  growth: number,
  horizonDays = seasonWeeks * 7,
): ChosenDemand {
  const factor = 1 + growth / 100
  const grown = ({ units, standardError, ...demand }: ChosenDemand): ChosenDemand => ({
    ...demand,
    units: units.map((each) => each * factor),
    standardError: standardError * factor,
  })
  if (basis === 'last_year') return grown(lastYear(known, horizonDays))
  if (basis !== 'forecast') return grown(meanOfDays(known, basis))
  if (known.week === null || known.units === null) {
    return grown({ ...meanOfDays(known, '30d'), confidence: 'low' })
  }
  const { week, units, standardError, model, wape, isOfType } = known
  // a person's number has no measured error
  const isUnsure = isOfType || (wape === null ? model !== 'manual' : wape > 1)
  return grown({
    ...{ week, units, wape },
    standardError: standardError ?? 0,
    method: model ?? 'forecast',
    confidence: isUnsure ? 'low' : 'normal',
  })
}

const countedDays = ({ pastDays, pastEmptyDays }: KnownDemand) =>
  Math.max(minDivisor, pastDays - pastEmptyDays)

const weeklyMean = (known: KnownDemand) => (known.pastUnits * 7) / countedDays(known)

function meanOfDays(known: KnownDemand, method: string): ChosenDemand {
  const daysInStock = known.pastDays - known.pastEmptyDays
  const weekly = weeklyMean(known)
  return {
    week: known.today,
    units: [weekly],
    standardError: known.standardError ?? Math.sqrt(weekly),
    method,
    counted: { days: countedDays(known), areInStock: known.pastEmptyDays > 0 },
    wape: null,
    confidence: daysInStock >= minDaysInStock ? 'normal' : 'low',
  }
}

/**
 * The same weeks of last year, 364 days before. A week with 4 to 6 days in stock is raised to seven. The demand of a week with
 * fewer, or before the sales are known, is not known: it is that of the forecast, else the mean of the known weeks, without one that
 * of the last days. Confidence is low when a week of the horizon is filled so.
 *
 * Example: sales known for 200 days: the weeks 0 to 23 begin 364 to 203 days ago and are filled.
 */
function lastYear(demand: KnownDemand, horizonDays: number): ChosenDemand {
  const sold = new Map(
    demand.lastYearWeeks.map((week, at) => [
      week,
      { units: demand.lastYearUnits[at] ?? 0, daysInStock: 7 - (demand.lastYearEmptyDays[at] ?? 0) },
    ]),
  )
  const measured = Array.from({ length: seasonWeeks }, (_, week) => {
    if ((seasonWeeks - week) * 7 > demand.lastYearDays) return null
    const { units, daysInStock } = sold.get(week) ?? { units: 0, daysInStock: 7 }
    return daysInStock >= minDaysOfWeek ? (units * 7) / daysInStock : null
  })
  const known = measured.filter((units) => units !== null)
  const mean = known.length > 0 ? meanOf(known) : weeklyMean(demand)
  // what was sold in a week that is filled was demand for certain
  const weeks = measured.map(
    (units, week) => units ?? Math.max(sold.get(week)?.units ?? 0, forecastOf(demand, week) ?? mean),
  )
  const horizon = measured.slice(0, Math.ceil(horizonDays / 7))
  const isFilled = horizon.includes(null)
  const isForecast = forecastOf(demand, measured.indexOf(null)) !== undefined
  const by = isForecast ? 'forecast' : known.length > 0 ? 'weeks' : 'days'
  const total = sumOf(weeks)
  return {
    week: demand.today,
    units: Array.from({ length: weeksAhead }, (_, at) => weeks[at % seasonWeeks] ?? 0),
    standardError: demand.standardError ?? Math.sqrt(total / seasonWeeks),
    method: 'last_year',
    ...(isFilled && { filled: { isWhole: horizon.every((units) => units === null), by } }),
    wape: null,
    confidence: total > 0 && !isFilled ? 'normal' : 'low',
  }
}

/** The forecast units of the week that begins `weeksLater` weeks after today; undefined without a forecast. */
function forecastOf({ today, week, units }: KnownDemand, weeksLater: number): number | undefined {
  if (week === null) return undefined
  const passed = Math.floor((Date.parse(today) - Date.parse(week)) / (7 * 86_400_000))
  return units?.[passed + weeksLater]
}
