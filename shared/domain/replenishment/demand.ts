import { sumOf } from '../../forecast/series.ts'
import type { ReplenishmentBasis } from '../../schemas/replenishment.ts'

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
  lastYearWeeks: readonly number[]
  lastYearUnits: readonly number[]
  lastYearEmptyDays: readonly number[]
}

/** An average over fewer days in stock says little. */
const minDaysInStock = 14
const minDivisor = 7
const seasonWeeks = 52
/** Of a week with fewer days in stock, the units are not raised. */
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
  wape: number | null
  confidence: 'normal' | 'low'
}

/**
 * The demand by week of a basis, with growth in percent. A mean of past days leaves out days without stock. The error is
 * that of the forecast; without one that of counts (Poisson), the root of the mean. Without a forecast, the mean of 30
 * days takes its place.
 *
 * Example: 30 days, 26 units, 4 days without stock: 26 / 26 · 7 = 7 a week, with an error of √7.
 */
export function demandOf(known: KnownDemand, basis: ReplenishmentBasis, growth: number): ChosenDemand {
  const factor = 1 + growth / 100
  const grown = ({ units, ...demand }: ChosenDemand): ChosenDemand => ({
    ...demand,
    units: units.map((each) => each * factor),
  })
  if (basis === 'last_year') return grown(lastYear(known))
  if (basis !== 'forecast') return grown(meanOfDays(known, basis))
  if (known.week === null || known.units === null) {
    return grown({ ...meanOfDays(known, '30d'), confidence: 'low' })
  }
  const { week, units, standardError, model, wape, isOfType } = known
  const isUnsure = isOfType || wape === null || wape > 1
  return grown({
    ...{ week, units, wape },
    standardError: standardError ?? 0,
    method: model ?? 'forecast',
    confidence: isUnsure ? 'low' : 'normal',
  })
}

function meanOfDays(known: KnownDemand, method: string): ChosenDemand {
  const daysInStock = known.pastDays - known.pastEmptyDays
  const weekly = (known.pastUnits * 7) / Math.max(minDivisor, daysInStock)
  return {
    week: known.today,
    units: [weekly],
    standardError: known.standardError ?? Math.sqrt(weekly),
    method,
    wape: null,
    confidence: daysInStock >= minDaysInStock ? 'normal' : 'low',
  }
}

/** The same weeks of last year, 364 days before. A week with 4 to 6 days in stock is raised to seven. */
function lastYear(known: KnownDemand): ChosenDemand {
  const weeks = new Array<number>(seasonWeeks).fill(0)
  for (const [at, week] of known.lastYearWeeks.entries()) {
    const daysInStock = 7 - (known.lastYearEmptyDays[at] ?? 0)
    const units = known.lastYearUnits[at] ?? 0
    weeks[week] = daysInStock >= minDaysOfWeek ? (units * 7) / daysInStock : units
  }
  const total = sumOf(weeks)
  return {
    week: known.today,
    units: Array.from({ length: weeksAhead }, (_, at) => weeks[at % seasonWeeks] ?? 0),
    standardError: known.standardError ?? Math.sqrt(total / seasonWeeks),
    method: 'last_year',
    wape: null,
    confidence: total > 0 ? 'normal' : 'low',
  }
}
