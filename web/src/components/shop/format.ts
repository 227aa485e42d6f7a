import { locale } from '../../browser/host.ts'
import { createFormats } from './formats.ts'
import { useSettings } from './settings.tsx'

const formatIn = createFormats(locale)

/**
 * Formats money, counts, dates and times in the user's locale, the shop's time zone, and the given currency, else the
 * shop's.
 */
export function useFormat(given?: string) {
  const { timeZone, currency } = useSettings()
  // a currency that is being typed is not complete
  return formatIn(given && /^[A-Z]{3}$/.test(given) ? given : currency, timeZone)
}
