import { CsvError, parse } from 'csv-parse/sync'
import { FileFault, limits } from './limits.ts'
import { type FileTable, toTable } from './tables.ts'

/**
 * Decodes text by its byte order mark, else as UTF-16 when every second byte is 0, else as UTF-8, else as Windows-1252.
 * A file that was pasted together from both is decoded line by line.
 */
export function decode(bytes: Uint8Array): { text: string; encoding: string } {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return decoded(bytes, 'utf-8', 'UTF-8')
  if (a === 0xff && b === 0xfe) return decoded(bytes, 'utf-16le', 'UTF-16')
  if (a === 0xfe && b === 0xff) return decoded(bytes, 'utf-16be', 'UTF-16')
  const start = bytes.subarray(0, 2_000)
  const zeros = (rest: number) => start.filter((byte, at) => byte === 0 && at % 2 === rest).length
  if (zeros(1) > start.length / 4) return decoded(bytes, 'utf-16le', 'UTF-16')
  if (zeros(0) > start.length / 4) return decoded(bytes, 'utf-16be', 'UTF-16')
  if (isUtf8(bytes)) return decoded(bytes, 'utf-8', 'UTF-8')
  return decodeLines(bytes)
}

function decoded(bytes: Uint8Array, label: string, encoding: string) {
  return { text: new TextDecoder(label).decode(bytes), encoding }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function decodeLines(bytes: Uint8Array): { text: string; encoding: string } {
  const lines: string[] = []
  let hasUtf8 = false
  for (let from = 0; from <= bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const line = bytes.subarray(from, end === -1 ? bytes.length : end)
    const isUnicode = isUtf8(line)
    hasUtf8 ||= isUnicode && line.some((byte) => byte > 127)
    lines.push(new TextDecoder(isUnicode ? 'utf-8' : 'windows-1252').decode(line))
    from = end === -1 ? bytes.length + 1 : end + 1
  }
  return { text: lines.join('\n'), encoding: hasUtf8 ? 'UTF-8 and Windows-1252' : 'Windows-1252' }
}

const separators = [',', ';', '\t', '|'] as const

/** Reads a table of separated values. */
export function readText(name: string, bytes: Uint8Array): FileTable | null {
  const { text: whole, encoding } = decode(bytes)
  const named = /^\uFEFF?sep=(.)\r?\n/i.exec(whole)
  const text = named ? whole.slice(named[0].length) : whole
  const delimiter = named?.[1] ?? separatorOf(text)
  const table = toTable(name, parseRecords(name, text, delimiter))
  if (!table) return null
  return { ...table, delimiter, encoding }
}

function parseRecords(name: string, text: string, delimiter: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      // 27" in a cell that is not quoted
      relax_quotes: true,
      // one row more than allowed shows that the file is too long
      to: limits.rows + 20,
      max_record_size: 1_000_000,
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new FileFault(
      `${name} is not a readable table: near line ${Number(error.lines) || 1} a quotation mark is not closed, or is inside a cell without being doubled. Save it as CSV again.`,
    )
  }
}

/** The separator that is most frequent in the first lines, outside quotation marks. */
function separatorOf(text: string): string {
  const start = text
    .slice(0, 20_000)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/, 12)
    .join('\n')
  const count = (separator: string) => start.split(separator).length
  return separators.reduce((best, next) => (count(next) > count(best) ? next : best))
}
