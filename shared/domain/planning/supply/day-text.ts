import { daysBetween } from '../../../calendar-days.ts'

// made once: making a format takes some fifty times as long as using it
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' })
const weekday = format({ weekday: 'long' })
const dayOfMonth = format({ day: 'numeric', month: 'long' })
const wholeDate = format({ day: 'numeric', month: 'long', year: 'numeric' })

const textOf = (day: string, form: Intl.DateTimeFormat) => form.format(new Date(`${day}T00:00:00Z`))

/** "9 March", with the year if it is not that of today. */
export const dateText = (day: string, today: string) =>
  textOf(day, day.slice(0, 4) === today.slice(0, 4) ? dayOfMonth : wholeDate)

/** "today", "on Thursday" within a week, else "on 3 June", with the year if it is another one. */
export function dayText(day: string, today: string): string {
  const days = daysBetween(today, day)
  if (days <= 0) return 'today'
  return `on ${days < 7 ? textOf(day, weekday) : dateText(day, today)}`
}
