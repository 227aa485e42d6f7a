import { forecastSeries } from '../../../forecast/forecast-series.ts'
import { meanOf, sumOf } from '../../../forecast/series.ts'
import { type DemandEvent, eventFactor, eventsOf } from '../../ledgers/demand/events.ts'
import { launchWeeks } from './launches.ts'
import type { TypeProfile } from './profiles.ts'
import { horizonWeeks, mondayOf, seasonWeeks, seriesOf, type WeeklyDemand, weeksAhead } from './weeks.ts'

export type StoredForecast = {
  variant_id: number
  location_id: number | null
  week: string
  model: string
  weights: Readonly<Record<string, number>>
  parameters: Readonly<Record<string, number>>
  wape: number | null
  bias: number | null
  /** 26 weeks, then the mean of the next 26, which continues. */
  units: readonly number[]
  standard_error: number
  is_of_type: boolean
}

/**
 * The forecast of one key, with events and growth. What continues after 26 weeks is the mean of the other half of the
 * year, so that neither the last week's season nor its events count for ever; of growth it has the mean factor of those
 * weeks. The error grows as the demand does: by the mean factor of growth in the 26 weeks.
 *
 * Example: 10 a week, 40 in the weeks 25 to 28, a fair with factor 3 in week 26: 10, …, 40, 120, then (2 · 40 + 24 · 10) / 26
 * = 12.3 a week.
 */
export function forecastOf(
  demand: WeeklyDemand,
  profile: TypeProfile,
  events: readonly DemandEvent[],
): StoredForecast {
  const series = seriesOf(demand, events)
  const isNew = demand.firstDay !== null && series.length < launchWeeks
  const forecast =
    isNew && demand.locationId === null && profile.launch !== null
      ? ofType(series.length, profile.launch)
      : ofSeries(demand, series, profile)
  const own = eventsOf(events, demand)
  const growth = own.filter(({ kind }) => kind === 'growth')
  const withFactors = forecast.units.map(
    (units, at) => units * eventFactor(at < weeksAhead ? own : growth, demand.thisWeek + at),
  )
  const grown = meanOf(
    Array.from({ length: weeksAhead }, (_, at) => eventFactor(growth, demand.thisWeek + at)),
  )
  return {
    variant_id: demand.variantId,
    location_id: demand.locationId,
    week: mondayOf(demand.thisWeek),
    ...forecast,
    units: [...withFactors.slice(0, weeksAhead), meanOf(withFactors.slice(weeksAhead))].map(rounded),
    standard_error: rounded(forecast.standard_error * grown),
  }
}

/** The forecast of a variant at all locations, and the demand that it comes from. */
export type Whole = { demand: WeeklyDemand; forecast: StoredForecast }

/**
 * The part of one location of a new product, whose forecast is that of its type: by what it sold there so far, in equal
 * parts while it has sold nothing at any location. The error of a part grows with its root, as that of counts does.
 *
 * Example: 8 a week with an error of 2, of which a location sold a quarter: 2 a week with an error of 1.
 */
export function partOf(whole: Whole, place: WeeklyDemand, places: readonly WeeklyDemand[]): StoredForecast {
  const sold = sumOf(whole.demand.units)
  const share = sold > 0 ? sumOf(place.units) / sold : 1 / places.length
  return {
    ...whole.forecast,
    location_id: place.locationId,
    units: whole.forecast.units.map((units) => rounded(units * share)),
    standard_error: rounded(whole.forecast.standard_error * Math.sqrt(share)),
  }
}

type Forecast = Omit<StoredForecast, 'variant_id' | 'location_id' | 'week'>

/** The units are those of 52 weeks. */
function ofSeries(demand: WeeklyDemand, series: ReturnType<typeof seriesOf>, profile: TypeProfile): Forecast {
  const season = {
    length: seasonWeeks,
    phase: demand.firstWeek % seasonWeeks,
    profile: profile.indices.length === seasonWeeks ? profile.indices : null,
  }
  const { ahead, standardError, weights, ...choice } = forecastSeries(series, {
    season,
    horizon: horizonWeeks,
    rows: seasonWeeks,
    pool: profile.errors,
  })
  return { ...choice, weights, units: ahead, standard_error: standardError, is_of_type: false }
}

/**
 * The weeks that the type's new variants had at this age, then the mean of their last four first weeks; 52 weeks. The
 * standard error is that of counts with this mean (Poisson): its root.
 */
function ofType(age: number, launch: readonly number[]): Forecast {
  const later = meanOf(launch.slice(-horizonWeeks))
  return {
    model: 'product_type',
    weights: {},
    parameters: { age },
    wape: null,
    bias: null,
    units: Array.from({ length: seasonWeeks }, (_, at) => launch[age + at] ?? later),
    standard_error: Math.sqrt(later),
    is_of_type: true,
  }
}

/** Four decimals are enough for pieces, and make equal numbers equal. */
export const rounded = (units: number) => Math.round(units * 1e4) / 1e4
