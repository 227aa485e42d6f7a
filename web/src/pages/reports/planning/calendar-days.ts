import { addDays } from '../../../components/shop/shop-days.ts'

export type CalendarView = 'week' | 'month'

/** The Monday on or before a day. */
const mondayOf = (day: string) => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** The days of the week, or of the weeks that the month touches. */
export function daysOf(view: CalendarView, day: string): string[] {
  const from = mondayOf(view === 'week' ? day : `${day.slice(0, 7)}-01`)
  const end = view === 'week' ? addDays(from, 7) : addDays(mondayOf(addDays(startOfNextMonth(day), -1)), 7)
  const days: string[] = []
  for (let each = from; each < end; each = addDays(each, 1)) days.push(each)
  return days
}

/** A day in the week or month before (-1) or after (1). */
export function turned(view: CalendarView, day: string, direction: -1 | 1): string {
  if (view === 'week') return addDays(day, 7 * direction)
  return direction > 0 ? startOfNextMonth(day) : `${addDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7)}-01`
}

function startOfNextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}
