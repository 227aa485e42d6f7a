import { minorDigitsOf } from '../../../../shared/currency.ts'

/** Money, counts, dates and times in words. */
export type Format = ReturnType<typeof createFormat>

type FormatIn = (currency: string, timeZone: string) => Format

/** The formats of a locale by currency and time zone: creating them takes longer than to render a small component. */
export function createFormats(locale: string | undefined): FormatIn {
  const formats = new Map<string, Format>()
  const formatIn: FormatIn = (currency, timeZone) => {
    const key = `${currency} ${timeZone}`
    const format = formats.get(key) ?? createFormat(locale, currency, timeZone, formatIn)
    formats.set(key, format)
    return format
  }
  return formatIn
}

function createFormat(locale: string | undefined, currency: string, timeZone: string, formatIn: FormatIn) {
  // those of the API; `Intl` has fewer for some currencies
  const decimals = minorDigitsOf(currency)
  const inCurrency = { style: 'currency', currency, minimumFractionDigits: decimals } as const
  const money = new Intl.NumberFormat(locale, { ...inCurrency, maximumFractionDigits: decimals })
  const cost = new Intl.NumberFormat(locale, { ...inCurrency, maximumFractionDigits: 4 })
  const shortMoney = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumSignificantDigits: 3,
  })
  const count = new Intl.NumberFormat(locale)
  const rate = new Intl.NumberFormat(locale, { maximumFractionDigits: 8 })
  const change = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
  // a calendar day or month has no time zone
  const calendarDay = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  const weekday = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  })
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' })
  return {
    currency,
    decimalSeparator: count.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    /** NaN is not known: a field of the sum is no number. */
    money: (amount: number) => (Number.isNaN(amount) ? '—' : money.format(amount)),
    /** The decimals of the currency: 0 for JPY. */
    decimals,
    /** An amount in another currency than that of the page. */
    moneyIn: (amount: number, other: string): string => formatIn(other, timeZone).money(amount),
    /** A unit cost in another currency than that of the page. */
    costIn: (amount: number, other = currency): string => formatIn(other, timeZone).cost(amount),
    /** A unit cost, with up to four decimals. */
    cost: (amount: number) => cost.format(amount),
    /** An exchange rate, with up to eight decimals. */
    rate: (number: number) => rate.format(number),
    /** Compact money for the axis of a chart, such as £1.2K. */
    shortMoney: (amount: number) => shortMoney.format(amount),
    /** NaN is not known, as above. */
    count: (number: number) => (Number.isNaN(number) ? '—' : count.format(number)),
    /** A difference with its sign, such as +3. */
    change: (number: number) => change.format(number),
    /** A count with its noun: 1 piece, 1,200 pieces. */
    many: (number: number, noun: string) =>
      `${Number.isNaN(number) ? '—' : count.format(number)} ${noun}${number === 1 ? '' : 's'}`,
    /** A percentage of a fraction from 0 to 1. */
    percent: (part: number) => percent.format(part),
    days: (number: number) => `${count.format(number)} ${number === 1 ? 'day' : 'days'}`,
    day: (instant: string | null) => (instant ? day.format(new Date(instant)) : '—'),
    /** Formats a day such as 2026-03-01. */
    calendarDay: (day: string) => calendarDay.format(new Date(`${day}T00:00:00Z`)),
    /** Formats a day such as 2026-03-01 with its weekday: Sun, Mar 1. */
    weekday: (day: string) => weekday.format(new Date(`${day}T00:00:00Z`)),
    /** Formats a month such as 2026-03. */
    month: (name: string) => month.format(new Date(`${name}-01T00:00:00Z`)),
    dateTime: (instant: string | null) => (instant ? dateTime.format(new Date(instant)) : '—'),
    /** A relative time in the largest full unit: "2 hours ago". */
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
