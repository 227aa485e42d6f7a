import { isOwnExport, isOwnList } from '../../shared/domain/imports/own-lists.ts'
import { readJson } from './json.ts'
import { FileFault, limits } from './limits.ts'
import { type FileTable, mergeTables } from './tables.ts'
import { readText } from './text.ts'
import { readZip } from './zip.ts'

export type FileToRead = { name: string; bytes: Uint8Array }
export type FileContent = { tables: FileTable[] /** Files of a ZIP that are no tables. */; ignored: string[] }
export type ReadResult = { content: FileContent } | { fault: string }

/** The function that the reader's thread runs. A fault is a result, since errors lose their class between threads. */
export async function readImportFile(file: FileToRead): Promise<ReadResult> {
  try {
    const { buffer, byteOffset, byteLength } = file.bytes
    return { content: await readContent(file.name, Buffer.from(buffer, byteOffset, byteLength)) }
  } catch (error) {
    if (error instanceof FileFault) return { fault: error.message }
    throw error
  }
}

async function readContent(name: string, bytes: Buffer): Promise<FileContent> {
  const ignored: string[] = []
  const tables = await readAny(name, bytes, ignored)
  const merged = mergeTables(tables.filter(({ rows }) => rows.length > 0))
  if (merged.length === 0)
    throw new FileFault(
      'This file has no rows below a header. Export it again, and open it to check that it has rows.',
    )
  if (merged.length > limits.sheets)
    throw new FileFault(
      `This file has ${merged.length} different tables. Add at most ${limits.sheets} at a time.`,
    )
  const rows = merged.reduce((sum, table) => sum + table.rows.length, 0)
  requireRows(rows)
  return { tables: merged, ignored: ignored.slice(0, 100) }
}

/** Loaded when a workbook comes, since its library takes memory. */
const workbooks = () => import('./workbook.ts')

const isZip = (bytes: Buffer) => bytes.readUInt32BE(0) === 0x504b0304 || bytes.readUInt32BE(0) === 0x504b0506

async function readAny(name: string, bytes: Buffer, ignored: string[]): Promise<FileTable[]> {
  if (bytes.length < 4) return readTable(name, bytes)
  if (bytes.readUInt32BE(0) === 0xd0cf11e0)
    throw new FileFault(
      `${name} is a workbook of an old format or has a password. Save it as XLSX without one.`,
    )
  if (bytes.subarray(0, 4).toString('latin1') === '%PDF')
    throw new FileFault(`${name} is a PDF, from which no rows can be read. Export the same list as CSV.`)
  if (!isZip(bytes)) return readTable(name, bytes)
  const names: string[] = []
  await readZip(bytes, (entry) => {
    names.push(entry)
    return false
  })
  if (names.includes('xl/workbook.xml')) return (await workbooks()).readWorkbook(name, bytes)
  if (isOwnExport(names)) return readOwnExport(bytes)
  const wanted = /\.(csv|tsv|txt|json|jsonl|xlsx)$/i
  ignored.push(...names.filter((entry) => !wanted.test(entry)))
  const entries = await readZip(bytes, (entry) => wanted.test(entry))
  const tables: FileTable[] = []
  let rows = 0
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const title = entry.name.replace(/^.*\//, '')
    const found = isWorkbook(entry.bytes)
      ? await (await workbooks()).readWorkbook(title, entry.bytes)
      : readTable(title, entry.bytes)
    tables.push(...found)
    rows += found.reduce((sum, table) => sum + table.rows.length, 0)
    // before the next file: all rows together must fit into the thread's memory
    requireRows(rows)
  }
  return tables
}

/** Of an export of ours the lists that an import takes back, with the time zone of their times. */
async function readOwnExport(bytes: Buffer): Promise<FileTable[]> {
  const entries = await readZip(bytes, (entry) => entry === 'manifest.json' || isOwnList(entry))
  const manifest = entries.find(({ name }) => name === 'manifest.json')
  const timeZone = timeZoneOf(manifest?.bytes.toString('utf8') ?? '')
  return entries.flatMap((entry) => {
    const table = entry === manifest ? null : readText(entry.name, entry.bytes)
    return table ? [{ ...table, ...(timeZone !== undefined && { timeZone }) }] : []
  })
}

function timeZoneOf(manifest: string): string | undefined {
  try {
    const { timeZone } = JSON.parse(manifest) as { timeZone?: unknown }
    return typeof timeZone === 'string' && new Intl.DateTimeFormat('en', { timeZone }) ? timeZone : undefined
  } catch {
    return undefined
  }
}

/** A ZIP in a ZIP is read only as a workbook, so decompression is at most two levels deep. */
const isWorkbook = (bytes: Buffer) => bytes.length >= 4 && isZip(bytes)

function readTable(name: string, bytes: Buffer): FileTable[] {
  const start = bytes
    .subarray(0, 200)
    .toString('latin1')
    .replace(/^(\xef\xbb\xbf)?\s*/, '')
  if (/^[[{]/.test(start)) return readJson(name, bytes)
  const table = readText(name, bytes)
  return table ? [table] : []
}

function requireRows(rows: number): void {
  if (rows <= limits.rows) return
  throw new FileFault(
    `This file has more than ${limits.rows} rows. Split it into files of at most ${limits.rows}.`,
  )
}
