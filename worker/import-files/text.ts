import { isAscii, isUtf8 } from 'node:buffer'
import { CsvError, parse } from 'csv-parse/sync'
import { FileFault, limits } from './limits.ts'
import { type FileTable, requireRecords, toTable } from './tables.ts'

type Decoded = { bytes: Uint8Array; encoding: string }

/**
 * Text as UTF-8 without a byte order mark: by its byte order mark, else UTF-16 when every second byte is 0, else UTF-8, else
 * Windows-1252. A file that was pasted together from both is decoded line by line. UTF-8 is not copied.
 */
export function toUtf8(bytes: Uint8Array): Decoded {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { bytes: bytes.subarray(3), encoding: 'UTF-8' }
  if (a === 0xff && b === 0xfe) return decoded(bytes, 'utf-16le')
  if (a === 0xfe && b === 0xff) return decoded(bytes, 'utf-16be')
  const start = bytes.subarray(0, 2_000)
  const zeros = (rest: number) => start.filter((byte, at) => byte === 0 && at % 2 === rest).length
  if (zeros(1) > start.length / 4) return decoded(bytes, 'utf-16le')
  if (zeros(0) > start.length / 4) return decoded(bytes, 'utf-16be')
  return isUtf8(bytes) ? { bytes, encoding: 'UTF-8' } : decodeLines(bytes)
}

const decoded = (bytes: Uint8Array, label: string): Decoded => ({
  bytes: Buffer.from(new TextDecoder(label).decode(bytes)),
  encoding: 'UTF-16',
})

/** Lines of plain ASCII belong to either encoding, so runs of lines are decoded at once. */
function decodeLines(bytes: Uint8Array): Decoded {
  const runs: Buffer[] = []
  let hasUtf8 = false
  let from = 0
  let isUnicode: boolean | null = null
  const flush = (end: number) => {
    const run = bytes.subarray(from, end)
    runs.push(Buffer.from(new TextDecoder(isUnicode === false ? 'windows-1252' : 'utf-8').decode(run)))
    from = end
  }
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(10, at)
    const end = next === -1 ? bytes.length : next + 1
    const line = bytes.subarray(at, end)
    if (!isAscii(line)) {
      const own = isUtf8(line)
      hasUtf8 ||= own
      if (isUnicode !== null && own !== isUnicode) flush(at)
      isUnicode = own
    }
    at = end
  }
  flush(bytes.length)
  return { bytes: Buffer.concat(runs), encoding: hasUtf8 ? 'UTF-8 and Windows-1252' : 'Windows-1252' }
}

const separators = [',', ';', '\t', '|'] as const

/** Reads a table of separated values. */
export function readText(name: string, bytes: Uint8Array): FileTable | null {
  const { bytes: whole, encoding } = toUtf8(bytes)
  const start = new TextDecoder().decode(whole.subarray(0, 20_000))
  const named = /^sep=(.)\r?\n/i.exec(start)
  const delimiter = named?.[1] ?? separatorOf(start)
  const body = named ? whole.subarray(Buffer.byteLength(named[0])) : whole
  const records = parseRecords(name, body, delimiter)
  requireRecords(name, records.length)
  const table = toTable(name, records)
  if (!table) return null
  return { ...table, delimiter, encoding }
}

function parseRecords(name: string, bytes: Uint8Array, delimiter: string): string[][] {
  try {
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      bom: true,
      delimiter,
      relax_column_count: true,
      // 27" in a cell that is not quoted
      relax_quotes: true,
      // one row more than allowed shows that the file is too long
      to: limits.rows + limits.otherRows + 1,
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
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/, 12)
    .join('\n')
  const count = (separator: string) => start.split(separator).length
  return separators.reduce((best, next) => (count(next) > count(best) ? next : best))
}
