/** What a text says: a number, or why it is none. */
export type ReadNumber = { number: number } | { fault: string }

type Rules = {
  /** Of the merchant's locale: decides what `1.234` means. */
  decimalMark: string
  /** Max decimals; 0 for whole numbers. */
  decimals?: number
  min?: number
  max?: number
}

const currency = /^(?:\p{L}{0,3}\p{Sc}|[A-Z]{3}|kr|zł|Kč|Ft|lei|Fr)\.?\s*/u
const currencyAtEnd = /\s*(?:\p{L}{0,3}\p{Sc}|[A-Z]{3}|kr|zł|Kč|Ft|lei|Fr)\.?$/u
const groups = /^\d{1,3}(?:[.,' ]\d{3})+$/

/**
 * Reads a typed or pasted number, with or without a currency symbol. Two different marks, and a mark that no group of
 * three digits follows, read the same in every locale: 1,234.50 = 1.234,50 = 1234.5. Only one mark before three digits is
 * ambiguous: it separates thousands in a whole number, else when it is not the decimal mark of the locale. Letters, such
 * as in 1e3, are refused.
 */
export function readNumber(text: string, rules: Rules): ReadNumber {
  const { decimals = 0, min = 0, max = Number.POSITIVE_INFINITY } = rules
  const amount = text
    .trim()
    .replace(/^[−–](?=.*\d)/, '-')
    .replace(currency, '')
    .replace(currencyAtEnd, '')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/’/g, "'")
  const plain = plainNumber(amount.replace(/^[+-]\s*/, ''), rules.decimalMark, decimals === 0)
  if (plain === undefined) return { fault: decimals === 0 ? 'Enter a whole number.' : 'Enter a number.' }
  const number = Number(plain) * (amount.startsWith('-') ? -1 : 1)
  const fraction = /\.(\d*?)0*$/.exec(plain)?.[1] ?? ''
  if (decimals === 0 && fraction !== '') return { fault: 'Enter a whole number.' }
  if (fraction.length > decimals) return { fault: `Enter at most ${decimals} decimals.` }
  if (number < min)
    return { fault: min === 0 ? 'Enter a number that is not negative.' : `Enter at least ${min}.` }
  if (number > max) return { fault: `Enter at most ${max}.` }
  return { number }
}

/** The same number as digits with a decimal point; undefined when the text is none. */
function plainNumber(text: string, decimalMark: string, isWhole: boolean): string | undefined {
  if (/^\d+$/.test(text)) return text
  const at = /[.,](?=\d*$)/.exec(text)?.index
  const whole = at === undefined ? text : text.slice(0, at)
  const digits = `${at === undefined ? '' : text.slice(at + 1)}`
  const withoutGroups = (part: string) => part.replace(/[.,' ]/g, '')
  const isGrouped = groups.test(text) && new Set(text.replace(/\d/g, '')).size === 1 && !text.startsWith('0')
  // several equal marks, and spaces or apostrophes, separate thousands; of a single point or comma the locale decides
  if (isGrouped && (text.replace(/\d/g, '').length > 1 || at === undefined)) return withoutGroups(text)
  if (isGrouped && (isWhole || text[at ?? 0] !== decimalMark)) return withoutGroups(text)
  if (at === undefined || (whole === '' && digits === '')) return undefined
  const mark = text[at] ?? ''
  const isPlainWhole = whole === '' || /^\d+$/.test(whole) || (groups.test(whole) && !whole.includes(mark))
  return isPlainWhole ? `${withoutGroups(whole) || '0'}.${digits}` : undefined
}
