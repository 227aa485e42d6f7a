import type { Days } from '../../components/pickers/days.ts'
import { addDays } from '../../components/shop/shop-days.ts'

export type Period = {
  name: string
  /** The name in saved views, which never changes; without one, a view has no period. */
  key?: string
  days: Days
}

/** The last 30 days, including today. */
const last30Days = (today: string): Days => ({ startDate: addDays(today, -29), endDate: today })

/** The chosen days, else the last 30. */
export const daysOr30 = ({ startDate, endDate }: Days, today: string): Days =>
  startDate || endDate ? { startDate, endDate } : last30Days(today)

/** The days of a filter. */
export const daysOf = ({ startDate, endDate }: Days & Record<string, unknown>): Days => ({
  startDate,
  endDate,
})

/** The periods that a report offers. `today` is a day in the shop's time zone; a period that still runs ends with it. */
export function periodsAt(today: string): Period[] {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const quarter = month - ((month - 1) % 3)
  return [
    { name: 'All time', days: { startDate: undefined, endDate: undefined } },
    { name: 'Today', key: 'today', days: { startDate: today, endDate: today } },
    { name: 'Last 7 days', key: 'last-7-days', days: { startDate: addDays(today, -6), endDate: today } },
    { name: 'Last 30 days', key: 'last-30-days', days: last30Days(today) },
    { name: 'This month', key: 'this-month', days: { startDate: firstOf(year, month), endDate: today } },
    { name: 'Last month', key: 'last-month', days: monthsFrom(year, month - 1, 1) },
    { name: 'Last quarter', key: 'last-quarter', days: monthsFrom(year, quarter - 3, 3) },
    { name: 'This year', key: 'this-year', days: { startDate: firstOf(year, 1), endDate: today } },
    { name: 'Last year', key: 'last-year', days: monthsFrom(year - 1, 1, 12) },
  ]
}

/** The first day of a month from 1; month 0 is December of the year before. */
const firstOf = (year: number, month: number): string =>
  new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)

const monthsFrom = (year: number, month: number, count: number): Days => ({
  startDate: firstOf(year, month),
  endDate: addDays(firstOf(year, month + count), -1),
})

type Params = Record<string, string | number | undefined>

/**
 * What a saved view keeps of a filter: a period in place of its days, so that the view of the last month shows that of any
 * later day. Days that are two periods, as this month and this year in January, stay days.
 */
export function withPeriod(filter: Params, today: string): Params {
  const { startDate, endDate, ...rest } = filter
  const [period, other] = periodsAt(today).filter(
    ({ key, days }) => key && days.startDate === startDate && days.endDate === endDate,
  )
  return period && !other ? { ...rest, period: period.key } : filter
}

/** The filter of a saved view with the days that its period has today. */
export function withDays(stored: Record<string, string>, today: string): Record<string, string> {
  const { period, ...rest } = stored
  const { startDate, endDate } = periodsAt(today).find(({ key }) => key && key === period)?.days ?? {}
  return startDate && endDate ? { ...rest, startDate, endDate } : stored
}
