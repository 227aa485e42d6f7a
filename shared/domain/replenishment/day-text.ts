import { daysBetween } from '../../calendar-days.ts'

/** "9 March", with the year if it is not that of today. */
export const dateText = (day: string, today: string) =>
  format(day, {
    ...{ day: 'numeric', month: 'long' },
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  })

/** "today", "on Thursday" within a week, else "on 3 June", with the year if it is another one. */
export function dayText(day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days <= 0) return 'today'
  return `on ${days < 7 ? format(day, { weekday: 'long' }) : dateText(day, today)}`
}

const format = (day: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))
