import { minorDigitsOf } from './currency.ts'

export type Formats = {
  /** An amount with the decimals of its currency. A fraction is shown with at least 2 decimals. */
  money(value: number): string
  /** A unit cost: up to 4 decimals. */
  cost(value: number): string
  quantity(value: number): string
  /** Percent, as in 7.5 for `7.5%`: up to 3 decimals. */
  percent(value: number): string
  /** The day of an ISO instant in the shop's time zone. A date without a time is not converted. */
  date(iso: string): string
}

/** Replaces values that `Intl` does not support, without throwing: the order must still reach its supplier. */
export function createFormats(locale: string, currency: string, timeZone: string): Formats {
  const known = knownLocale(locale)
  const quantity = new Intl.NumberFormat(known, { maximumFractionDigits: 4 })
  const percent = new Intl.NumberFormat(known, { style: 'percent', maximumFractionDigits: 3 })
  return {
    money: amountFormat(known, currency, 2),
    cost: amountFormat(known, currency, 4),
    quantity: (value) => quantity.format(value),
    percent: (value) => percent.format(value / 100),
    date: dateFormat(known, timeZone),
  }
}

function amountFormat(locale: string, currency: string, maxDecimals: number): (value: number) => string {
  const style = currencyStyle(locale, currency)
  const currencyDecimals = minorDigitsOf(currency)
  const withMinDecimals = (minDecimals: number) =>
    new Intl.NumberFormat(locale, {
      ...style,
      minimumFractionDigits: minDecimals,
      maximumFractionDigits: Math.max(minDecimals, maxDecimals),
    })
  const whole = withMinDecimals(currencyDecimals)
  // The yen has no decimals, but half a yen is written as 0.50 and not as 0.5.
  const fractional = withMinDecimals(Math.max(currencyDecimals, 2))
  return (value) => {
    const amount = (Number.isInteger(value) ? whole : fractional).format(value)
    return style ? amount : `${amount} ${currency}`.trim()
  }
}

function dateFormat(locale: string, timeZone: string): (iso: string) => string {
  const inZone = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: knownTimeZone(timeZone) })
  const plain = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  return (iso) => {
    const date = new Date(iso)
    if (Number.isNaN(date.getTime())) return iso
    return (/^\d{4}-\d{2}-\d{2}$/.test(iso) ? plain : inZone).format(date)
  }
}

function knownLocale(locale: string): string {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

function knownTimeZone(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
  }
}

function currencyStyle(
  locale: string,
  currency: string,
): { style: 'currency'; currency: string } | undefined {
  const style = { style: 'currency', currency } as const
  try {
    new Intl.NumberFormat(locale, style)
    return style
  } catch {
    return undefined
  }
}
