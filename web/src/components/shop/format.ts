import { locale } from '../../browser/host.ts'
import { useSettings } from './settings.tsx'

/** How this person and this shop write money, counts, days and times. */
export function useFormat() {
  const { currency, timeZone } = useSettings()
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const cost = new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 4 })
  const shortMoney = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumSignificantDigits: 3,
  })
  const count = new Intl.NumberFormat(locale)
  const change = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  // a day or a month of the shop is the same wherever it is read
  const calendarDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return {
    currency,
    decimalSeparator: count.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    money: (amount: number) => money.format(amount),
    /** Of one piece: up to four decimals. */
    cost: (amount: number) => cost.format(amount),
    /** As it stands at an axis. */
    shortMoney: (amount: number) => shortMoney.format(amount),
    count: (number: number) => count.format(number),
    /** How many more or fewer, with its sign. */
    change: (number: number) => change.format(number),
    /** As in 1 piece, 1,200 pieces. */
    many: (number: number, noun: string) => `${count.format(number)} ${noun}${number === 1 ? '' : 's'}`,
    /** Of a part from 0 to 1. */
    percent: (part: number) => percent.format(part),
    days: (number: number) => `${count.format(number)} ${number === 1 ? 'day' : 'days'}`,
    day: (instant: string | null) => (instant ? day.format(new Date(instant)) : '—'),
    /** Of 2026-03-01. */
    calendarDay: (day: string) => calendarDay.format(new Date(`${day}T00:00:00Z`)),
    /** Of 2026-03. */
    month: (name: string) => month.format(new Date(`${name}-01T00:00:00Z`)),
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
