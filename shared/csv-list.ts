import { csvHead, csvPage } from './csv.ts'
import type { CsvColumn } from './schemas/csv-columns.ts'

/** The shop's own words for times and money. */
export type CsvTerms = { timeZone: string; currency: string }

type Row = Readonly<Record<string, unknown>>

/**
 * A list as CSV for people. Instants are in the shop's time zone, which their heading names: `2026-11-22 14:05` under "Created
 * (Europe/London)". Amounts of the shop name its currency: "Value (GBP)"; a list with amounts in several currencies has a column
 * for them. Shares are in percent: 0.078652 is 7.8652.
 */
export function listCsv(
  rows: readonly Row[],
  columns: readonly CsvColumn[],
  { timeZone, currency }: CsvTerms,
  answer: Row = {},
): string {
  // Swedish writes an instant as ISO 8601 does
  const format = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone })
  const headings = columns.map(({ heading, kind }) => {
    const unit = kind === 'instant' ? timeZone : kind === 'amount' ? currency : undefined
    return unit === undefined ? heading : `${heading} (${unit})`
  })
  const cells = (row: Row) =>
    columns.map((column) => {
      const value = (column.isOfAnswer ? answer : row)[column.key]
      return value === null || value === undefined ? '' : cellOf(value, column, format)
    })
  return csvHead(headings) + csvPage(rows.map(cells))
}

function cellOf(value: unknown, { kind, words }: CsvColumn, instants: Intl.DateTimeFormat): unknown {
  switch (kind) {
    case 'instant':
      return instants.format(new Date(String(value)))
    case 'yesNo':
      return value ? 'Yes' : 'No'
    case 'words':
      return words?.[String(value)] ?? plainWords(String(value))
    case 'share':
      return Number((Number(value) * 100).toFixed(4))
    case 'user':
      return value === '' ? '' : `User ${value}`
    default:
      return Array.isArray(value) ? value.join(', ') : value
  }
}

/** `in_transit` is "In transit"; `A` stays. */
const plainWords = (value: string) => {
  const text = value.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
