import type { Days } from '../../components/pickers/days.ts'
import { addDays } from '../../components/shop/shop-days.ts'

export type Period = { name: string; days: Days }

/** The last 30 days, including today. */
export const last30Days = (today: string): Days => ({ startDate: addDays(today, -29), endDate: today })

/** The periods that a report offers. `today` is a day in the shop's time zone; a period that still runs ends with it. */
export function periodsAt(today: string): Period[] {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const quarter = month - ((month - 1) % 3)
  return [
    { name: 'All time', days: { startDate: undefined, endDate: undefined } },
    { name: 'Today', days: { startDate: today, endDate: today } },
    { name: 'Last 7 days', days: { startDate: addDays(today, -6), endDate: today } },
    { name: 'Last 30 days', days: last30Days(today) },
    { name: 'This month', days: { startDate: firstOf(year, month), endDate: today } },
    { name: 'Last month', days: monthsFrom(year, month - 1, 1) },
    { name: 'Last quarter', days: monthsFrom(year, quarter - 3, 3) },
    { name: 'This year', days: { startDate: firstOf(year, 1), endDate: today } },
    { name: 'Last year', days: monthsFrom(year - 1, 1, 12) },
  ]
}

/** The first day of a month from 1; month 0 is December of the year before. */
const firstOf = (year: number, month: number): string =>
  new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)

const monthsFrom = (year: number, month: number, count: number): Days => ({
  startDate: firstOf(year, month),
  endDate: addDays(firstOf(year, month + count), -1),
})
