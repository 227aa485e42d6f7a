/**
 * How a table writes numbers and days. `decimalSign`: null when the file does not say it. `timeZone`: that of its times without an
 * offset, null when it is not known.
 */
export type Notation = { decimalSign: '.' | ',' | null; dayOrder: 'dmy' | 'mdy'; timeZone: string | null }

type DecimalSign = '.' | ','

/**
 * A number of a cell; null for an empty cell, undefined for text that is no number. Without a decimal sign, `2,345` is
 * undefined, too, since it has two meanings.
 */
export function readNumber(cell: string, decimalSign: DecimalSign | null): number | null | undefined {
  if (decimalSign !== null) return readWithSign(cell, decimalSign)
  const [point, comma] = [readWithSign(cell, '.'), readWithSign(cell, ',')]
  if (point === undefined || comma === undefined) return point ?? comma
  return point === comma ? point : undefined
}

function readWithSign(cell: string, decimalSign: DecimalSign): number | null | undefined {
  const bare = cell.replace(/[\s\u00a0\u202f'’%]|[\p{Currency_Symbol}]|\b[A-Z]{3}\b/gu, '')
  if (bare === '') return cell.trim() === '' ? null : undefined
  const isNegative = /^\(.*\)$|^-|-$/.test(bare)
  const digits = bare.replace(/^[-+(]|[-)]$/g, '')
  if (/^\d+(\.\d+)?E[+-]?\d+$/i.test(digits)) return isNegative ? -Number(digits) : Number(digits)
  const group = decimalSign === '.' ? ',' : '.'
  const [whole = '', part, ...more] = digits.split(decimalSign)
  // groups have three digits, so 1,50 is no 150; the first does not begin with 0, so 0,125 is no 125
  const isGrouped = new RegExp(`^[1-9]\\d{0,2}(\\${group}\\d{3})+$`).test(whole)
  if (more.length > 0 || !(isGrouped || /^\d*$/.test(whole)) || (part !== undefined && !/^\d*$/.test(part)))
    return undefined
  const text = `${whole.replaceAll(group, '')}.${part ?? ''}0`
  if (!/\d/.test(whole + (part ?? ''))) return undefined
  const value = Number(`0${text}`)
  return isNegative ? -value : value
}

const otherSign = { '.': ',', ',': '.' } as const

/**
 * The decimal sign of columns of numbers. Cells that can be read in one way only decide: 1.50, 0,125 and 1.234.567 are such, and
 * 2,345 is not. `isCertain` is false when all cells with a sign have two meanings; `fallback` is the sign then.
 */
export function guessDecimalSign(
  cells: readonly string[],
  fallback: DecimalSign,
): { decimalSign: DecimalSign; isCertain: boolean } {
  const votes = { '.': 0, ',': 0 }
  let ambiguous = 0
  for (const cell of cells) {
    const bare = cell.replace(/[^\d.,]/g, '')
    if (!/[.,]/.test(bare)) continue
    const [point, comma] = [readWithSign(bare, '.'), readWithSign(bare, ',')]
    if (point !== undefined && comma !== undefined) ambiguous += point === comma ? 0 : 1
    else if (comma !== undefined) votes[','] += 1
    else if (point !== undefined) votes['.'] += 1
  }
  if (votes['.'] !== votes[',']) {
    const decimalSign = votes[','] > votes['.'] ? ',' : '.'
    return { decimalSign, isCertain: ambiguous === 0 || votes[otherSign[decimalSign]] === 0 }
  }
  return { decimalSign: fallback, isCertain: ambiguous === 0 }
}

/** The decimal sign that a language writes. */
export const decimalSignOf = (locale: string): DecimalSign =>
  new Intl.NumberFormat(locale, { numberingSystem: 'latn' })
    .formatToParts(1.5)
    .some(({ type, value }) => type === 'decimal' && value === ',')
    ? ','
    : '.'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const numericDay = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})\b/

/** The order of day and month, by the days above 12; `fallback` when each cell fits both. */
export function guessDayOrder(
  cells: readonly string[],
  fallback: 'dmy' | 'mdy',
): { dayOrder: 'dmy' | 'mdy'; isCertain: boolean } {
  let first = 0
  let second = 0
  let total = 0
  for (const cell of cells) {
    const match = numericDay.exec(cell.trim())
    if (!match) continue
    total += 1
    if (Number(match[1]) > 12) first += 1
    if (Number(match[2]) > 12) second += 1
  }
  if (first === 0 && second === 0) return { dayOrder: fallback, isCertain: total === 0 }
  return { dayOrder: first >= second ? 'dmy' : 'mdy', isCertain: first === 0 || second === 0 }
}

/**
 * A day or instant of a cell: `2026-03-01` or an instant with its offset; null for an empty cell, undefined for text that
 * is neither. A time without an offset is dropped when its time zone is not known.
 */
export function readDate(
  cell: string,
  { dayOrder, timeZone }: Pick<Notation, 'dayOrder' | 'timeZone'>,
): string | null | undefined {
  const text = cell.trim()
  if (text === '' || /^(-|n\/?a|null|none)$/i.test(text)) return null
  const iso =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i.exec(
      text,
    )
  if (iso) {
    const day = dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
    if (day === undefined || !iso[4]) return day
    if (!iso[5]) return timeZone === null ? day : instantOf(`${day}T${iso[4].padStart(5, '0')}`, timeZone)
    const zone = iso[5].replace(/UTC/i, 'Z').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
    const at = Date.parse(`${day}T${iso[4].padStart(5, '0')}${zone}`)
    return Number.isNaN(at) ? undefined : new Date(at).toISOString()
  }
  const slashed = numericDay.exec(text) ?? /^(\d{4})[./](\d{1,2})[./](\d{1,2})\b/.exec(text)
  if (slashed) {
    const [a, b, c] = slashed.slice(1).map(Number) as [number, number, number]
    if (a > 31) return dayOf(a, b, c)
    return dayOrder === 'dmy' ? dayOf(yearOf(c), b, a) : dayOf(yearOf(c), a, b)
  }
  const named =
    /^(?:[a-z]{3,9},? )?(\d{1,2})[ -]([a-z]{3})[a-z]*\.?[ ,-]+(\d{4}|\d{2})\b(?!:)/i.exec(text) ??
    /^(?:[a-z]{3,9}, )?([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/i.exec(text)
  if (!named) return undefined
  const [, one = '', two = '', year] = named
  const month = months.indexOf((/^\d/.test(one) ? two : one).toLowerCase()) + 1
  return month === 0 ? undefined : dayOf(yearOf(Number(year)), month, Number(/^\d/.test(one) ? one : two))
}

/** A year of two digits is one of this century. */
const yearOf = (year: number) => (year < 100 ? 2000 + year : year)

function dayOf(year: number, month: number, day: number): string | undefined {
  if (year < 1990 || year > 2100) return undefined
  const at = new Date(Date.UTC(year, month - 1, day))
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? at.toISOString().slice(0, 10) : undefined
}

/** Yes or no of a cell; a date also means yes, such as the day of a payment. Undefined for other text. */
export function readFlag(cell: string): boolean | undefined {
  const text = cell.trim().toLowerCase()
  if (/^(|no|n|false|0|f|unpaid|-)$/.test(text)) return false
  if (
    /^(yes|y|true|1|t|paid|x|✓|archived)$/.test(text) ||
    /^\d{4}-\d{2}-\d{2}|^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/.test(text)
  )
    return true
  return undefined
}

/**
 * The instant of a local time, such as `2026-03-02T01:45:00` in Asia/Kathmandu: the offset is that of the time zone at the
 * instant. Of the hour that a change of the clocks repeats, it is the first one.
 */
function instantOf(local: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${local}Z`)
  if (Number.isNaN(wanted)) return undefined
  const offsetAt = (at: number) => Date.parse(`${localFormat(timeZone).format(at).replace(' ', 'T')}Z`) - at
  const early = wanted - Math.max(offsetAt(wanted - 86_400_000), offsetAt(wanted + 86_400_000))
  const at = offsetAt(early) === wanted - early ? early : wanted - offsetAt(wanted)
  return new Date(at).toISOString()
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** "2026-03-02 01:45:00": the locale of Sweden writes dates so. A format takes longer to make than to use. */
function localFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  return format
}
