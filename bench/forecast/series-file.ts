import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Series } from '../../shared/forecast/series.ts'

/** Series of the same rows, and the columns that are no series, such as dates. */
export type SeriesFile = { names: string[]; series: Series[]; skipped: string[] }

/** What is wrong with the file or the options, in words for the person at the terminal. */
export class SeriesFileError extends Error {}

const separators = [',', ';', '\t'] as const
type Separator = (typeof separators)[number]

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** A first column with this name counts the rows. */
const timeNames = /^(|#|no|row|index|time|period|date|day|week|month|year|quarter)$/i

type Cell = { value: string; isQuoted: boolean; line: number }

export async function readSeries(path: string): Promise<SeriesFile> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new SeriesFileError(`${path} cannot be read: ${error.code ?? error.message}`)
  })
  return parseSeries(bytes, basename(path))
}

/**
 * Parses a CSV file: a column for each series, the oldest row first, an empty cell for an unknown value.
 *
 * - The separator is the comma, the semicolon or the tab that is most frequent in the first line; beside the last two, a comma is the decimal point.
 * - The first row is a header when a cell of it is no number, or when all its cells are quoted and no other is.
 * - A column without any number is no series, nor is a first column that the header calls a date or leaves without a name.
 * - A row that is too short ends with unknown values. An empty line is an unknown value in a file of one column; in others, and at the
 *   end, it counts for nothing.
 * - Any other cell that is no number is an error, which names row and column.
 */
export function parseSeries(bytes: Uint8Array, name: string): SeriesFile {
  const text = decoded(bytes, name)
  const separator = separatorOf(text)
  const all = cellsOf(text, separator, name)
  const [first = []] = all
  if (first.length === 0) throw new SeriesFileError(`${name} is empty`)
  const numberOf = ({ value }: Cell) => toNumber(value, separator)
  const hasHeader = isHeader(all, numberOf)
  const rows = hasHeader ? all.slice(1) : all
  const columns = Math.max(...all.map((row) => row.length))
  const found: SeriesFile = { names: [], series: [], skipped: [] }
  let firstWrong: SeriesFileError | undefined
  for (let column = 0; column < columns; column += 1) {
    const title = hasHeader ? (first[column]?.value ?? '') : ''
    const place = title === '' ? `column ${column + 1}` : `column ${column + 1} (${title})`
    const cells = rows.map((row) => row[column] ?? null)
    const filled = cells.filter((cell): cell is Cell => cell !== null && cell.value !== '')
    const strange = filled.find((cell) => numberOf(cell) === null)
    const wrong = strange === undefined ? undefined : wrongCell(name, strange, place)
    firstWrong ??= wrong
    const isTime = hasHeader && column === 0 && columns > 1 && timeNames.test(title)
    if (isTime || filled.every((cell) => numberOf(cell) === null)) {
      // what follows a separator at the end of each line is no column
      if (filled.length > 0 || title !== '') found.skipped.push(title || place)
      continue
    }
    if (wrong) throw wrong
    found.names.push(title || place)
    found.series.push(cells.map((cell) => (cell === null ? null : numberOf(cell))))
  }
  if (found.series.length === 0) throw firstWrong ?? new SeriesFileError(`${name} has no column of numbers`)
  return found
}

const wrongCell = (name: string, { line, value }: Cell, place: string) =>
  new SeriesFileError(
    `${name}, row ${line}, ${place}: "${value}" is no number. Leave the cell of an unknown value empty.`,
  )

/** Spreadsheets also write UTF-16, with a byte order mark. */
function decoded(bytes: Uint8Array, name: string): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new SeriesFileError(`${name} is no text in UTF-8`)
  }
}

function separatorOf(text: string): Separator {
  const [line = ''] = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '')
  const unquoted = line.replaceAll(/"[^"]*"/g, '')
  const count = (separator: string) => unquoted.split(separator).length
  return separators.toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

function cellsOf(text: string, separator: Separator, name: string): Cell[][] {
  let rows: Cell[][]
  try {
    rows = parse(text, {
      delimiter: separator,
      trim: separator !== '\t',
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      cast: (value, { quoting, lines }) => ({ value: value.trim(), isQuoted: quoting, line: lines }),
    }) as unknown as Cell[][]
  } catch (error) {
    throw new SeriesFileError(`${name} is no CSV file: ${error instanceof Error ? error.message : error}`)
  }
  const isEmptyLine = (row: Cell[]) => row.length <= 1 && !row[0]?.value && !row[0]?.isQuoted
  while (rows.length > 0 && isEmptyLine(rows.at(-1) ?? [])) rows.pop()
  const isOneColumn = rows.every((row) => row.length <= 1)
  return isOneColumn ? rows : rows.filter((row) => !isEmptyLine(row))
}

function isHeader([first = [], ...rows]: Cell[][], numberOf: (cell: Cell) => number | null): boolean {
  if (first.some((cell) => cell.value !== '' && numberOf(cell) === null)) return true
  const isQuoted = ({ isQuoted }: Cell) => isQuoted
  return first.every(isQuoted) && !rows.some((row) => row.some(isQuoted))
}

function toNumber(cell: string, separator: Separator): number | null {
  const text = separator === ',' ? cell : cell.replace(',', '.')
  return decimal.test(text) ? Number(text) : null
}
