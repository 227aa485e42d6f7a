/** How one order shows its numbers and dates. */
export type Formats = {
  /** A sum: as exact as the currency is, and never less than the 2 decimals that sums are kept with. */
  money(value: number): string
  /** A unit cost: up to 4 decimals. */
  cost(value: number): string
  quantity(value: number): string
  /** The day of an ISO instant in the shop's time zone. A date without a time stays the day it names. */
  date(iso: string): string
}

/**
 * Formats in a shop's locale, currency and time zone. What `Intl` does not know is replaced (`en`, the code behind a
 * plain number, UTC) instead of failing: an order with an odd currency must still reach its supplier.
 */
export function createFormats(locale: string, currency: string, timeZone: string): Formats {
  const known = knownLocale(locale)
  const quantity = new Intl.NumberFormat(known, { maximumFractionDigits: 4 })
  return {
    money: amountFormat(known, currency, 2),
    cost: amountFormat(known, currency, 4),
    quantity: (value) => quantity.format(value),
    date: dateFormat(known, timeZone),
  }
}

function amountFormat(locale: string, currency: string, maxDecimals: number): (value: number) => string {
  const style = currencyStyle(locale, currency)
  const usual = style
    ? (new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2)
    : 2
  const decimals = (least: number) =>
    new Intl.NumberFormat(locale, {
      ...style,
      minimumFractionDigits: least,
      maximumFractionDigits: Math.max(least, maxDecimals),
    })
  const whole = decimals(usual)
  // Yen have no decimals, but half a yen is written as 0.50 and not as 0.5.
  const broken = decimals(Math.max(usual, 2))
  return (value) => {
    const amount = (Number.isInteger(value) ? whole : broken).format(value)
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
