import { locale } from '../../browser/host.ts'

/** Every time zone that the browser knows, and the one that is chosen. */
export const timeZoneOptions = (chosen: string) =>
  [...new Set([chosen, 'UTC', ...Intl.supportedValuesOf('timeZone')])]
    .sort()
    .map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))

/** What the clocks say there. */
export function timeIn(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      minute: '2-digit',
    }).format()
  } catch {
    return 'not known'
  }
}
