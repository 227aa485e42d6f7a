import { CsvError, parse } from 'csv-parse/sync'
import type { ImportFault } from '../../../schemas/import-fault.ts'
import { guessDecimalSign, readNumber } from './values.ts'

/** A file separated by commas, semicolons or tabs. Rows are numbered as in a spreadsheet; empty ones are left out. */
type FileRows = { header: string[]; body: FileRow[] }
export type FileRow = { row: number; cells: string[] }

/** Null when a file does not say which sign is the decimal one. */
export type DecimalSign = '.' | ',' | null

const maxRows = 10_000
/** The apostrophe that our exports write before a cell which a spreadsheet would evaluate as a formula. */
const formulaEscape = /^'(?=[=+\-@])/

/** A fault of the whole file is returned instead of its rows. */
export function readFileRows(csv: string): FileRows | ImportFault {
  const records = readRecords(csv)
  if ('row' in records) return records
  const [header = [], ...rest] = records
  const body = rest
    .map((cells, at) => ({ row: at + 2, cells: cells.map((cell) => cell.replace(formulaEscape, '')) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (body.length <= maxRows) return { header, body }
  const message = `A file holds at most ${maxRows} rows. Split it.`
  return { row: body[maxRows]?.row ?? 0, field: '', message }
}

function readRecords(csv: string): string[][] | ImportFault {
  try {
    return parse(csv, {
      bom: true,
      delimiter: separatorOf(csv),
      relax_column_count: true,
      trim: true,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const message =
      'A quotation mark is not closed, or is not doubled inside a cell. Save the file as CSV again.'
    return { row: Number(error.lines) || 1, field: '', message }
  }
}

/** Spreadsheets use semicolons in locales with a decimal comma. No column name contains a separator. */
function separatorOf(csv: string): string {
  const [first = ''] = csv.split(/[\r\n]/, 1)
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/** A text in lower case, letters and digits alone. */
export const plainName = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '')

/** A heading in lower case without spaces, punctuation and a unit in brackets: "Lead-time (days)" is `leadtime`. */
export const plainHeading = (text: string) => plainName(text.replace(/\([^()]*\)/g, ''))

/** Columns that are not `known`, and those that appear twice. `named` has the column of each cell of the header. */
export function headerFaults(
  header: readonly string[],
  named: readonly (string | undefined)[],
  known: string,
): ImportFault[] {
  return header.flatMap((name, at) => {
    const column = named[at]
    if (column === undefined) {
      const message = `is not one of the known columns: ${known}`
      return name === '' ? [] : [{ row: 1, field: name, message }]
    }
    const firstAt = named.indexOf(column)
    if (firstAt === at) return []
    const first = header[firstAt] ?? ''
    return plainHeading(first) === plainHeading(name)
      ? [{ row: 1, field: column, message: 'appears twice' }]
      : [{ row: 1, field: name, message: `means the same as ${first}: remove one of the columns` }]
  })
}

/** The decimal sign of cells with numbers; null when they do not say it. */
export function decimalSignIn(cells: readonly string[]): DecimalSign {
  const { decimalSign, isCertain } = guessDecimalSign(cells, '.')
  return isCertain ? decimalSign : null
}

/** Plain digits, or groups of three with one sign between all of them; then a fraction, which may be empty. */
const oneNumber = /^[+-]?(\d+|\d{1,3}(([.,'’ \u00a0\u2009\u202f])\d{3})(\3\d{3})*)([.,]\d*)?$/

/**
 * The number of a cell that counts pieces or days; null for other text. Signs that separate thousands must be unmistakable:
 * 1,234,567 and 1 234 are numbers, `1,234` is one when another cell says that a point is the decimal sign, `5 10` is none.
 */
export function wholeNumberOf(text: string, decimalSign: DecimalSign): number | null {
  const number = oneNumber.test(text) ? readNumber(text, decimalSign) : null
  return Number.isInteger(number) ? (number as number) : null
}

/** What is wrong with a number that may be one of thousands or a fraction; undefined for other text. */
export function ambiguityOf(text: string, decimalSign: DecimalSign): string | undefined {
  if (decimalSign !== null || !/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return undefined
  return `can be read in two ways: write ${text.replace(/[.,]/, '')} without a separator`
}

/** The fault of a row with a value below an empty name. A name that is not known is a fault of the header. */
export function unnamedCellFaults({ row, cells }: FileRow, header: readonly string[]): ImportFault[] {
  const hasUnnamedCell = cells.some((cell, at) => cell !== '' && !header[at])
  return hasUnnamedCell ? [{ row, field: '', message: 'has a value in a column without a name' }] : []
}
