import { locale } from '../../browser/host.ts'

/** All time zones of the browser, and the current one. */
export const timeZoneOptions = (chosen: string) =>
  [...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
    .sort()
    .map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))

/** The current weekday and time in a time zone. */
export function timeIn(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }).format()
  } catch {
    return 'unknown'
  }
}
