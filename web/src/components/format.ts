import { locale } from '../host.ts'
import { useSettings } from './settings.tsx'

/** How this person and this shop write money, counts, days and times. */
export function useFormat() {
  const { currency, timeZone } = useSettings()
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const cost = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 })
  const count = new Intl.NumberFormat(locale)
  const change = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  return {
    currency,
    decimalSeparator: count.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    money: (amount: number) => money.format(amount),
    /** Of one piece: up to four decimals. */
    cost: (amount: number) => cost.format(amount),
    count: (number: number) => count.format(number),
    /** How many more or fewer, with its sign. */
    change: (number: number) => change.format(number),
    day: (instant: string | null) => (instant ? day.format(new Date(instant)) : '—'),
    moment: (instant: string | null) => (instant ? moment.format(new Date(instant)) : '—'),
    /** How long it is since then, roughly. */
    ago: (instant: string) => {
      const seconds = Math.max(0, (Date.now() - Date.parse(instant)) / 1000)
      const [unit, size] = units.find(([, length]) => seconds >= length) ?? units[3]
      return relative.format(-Math.floor(seconds / size), unit)
    },
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
