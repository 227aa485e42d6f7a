import { isOwnExport, isOwnList } from '../../shared/domain/exchange/imports/read/own-lists.ts'
import { readJson } from './json.ts'
import { FileFault, limits } from './limits.ts'
import { type FileTable, mergeTables } from './tables.ts'
import { readText } from './text.ts'
import { readZip } from './zip.ts'

export type FileToRead = { name: string; bytes: Uint8Array }
/** A file of a ZIP, or a sheet, that has no rows for an import; `reason` says what to do. */
export type IgnoredFile = { name: string; reason: string }
export type FileContent = { tables: FileTable[]; ignored: IgnoredFile[] }
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
  const ignored: IgnoredFile[] = []
  const tables = await readAny(name, bytes, ignored)
  const merged = mergeTables(tables.filter(({ rows }) => rows.length > 0))
  if (merged.length === 0)
    throw new FileFault(
      ignored[0]
        ? `No file in it can be read. ${ignored[0].name}: ${ignored[0].reason}`
        : 'This file has no rows below a header. Export it again, and open it to check that it has rows.',
    )
  for (const table of tables) if (table.rows.length === 0) ignored.push({ name: table.name, reason: noRows })
  if (merged.length > limits.sheets)
    throw new FileFault(
      `This file has ${merged.length} different tables. Add at most ${limits.sheets} at a time.`,
    )
  const rows = merged.reduce((sum, table) => sum + table.rows.length, 0)
  requireRows(rows)
  return { tables: merged, ignored: ignored.slice(0, maxIgnored) }
}

const maxIgnored = 100
const noRows = 'It has no rows below a header.'

function reasonOf(name: string): string {
  if (/\.xls[bm]?$/i.test(name)) return 'The app does not read this format of Excel. Save it as .xlsx or CSV.'
  if (/\.pdf$/i.test(name))
    return 'No rows can be read from a PDF. Export the same list as CSV, and add that file.'
  if (/\.(zip|7z|rar|gz|tar)$/i.test(name)) return 'An archive inside a ZIP is not unpacked. Add its files.'
  return 'It is no table. The app reads CSV, Excel (.xlsx), JSON and ZIP.'
}

/** Loaded when a workbook comes, since its library takes memory. */
const workbooks = () => import('./workbook.ts')

const isZip = (bytes: Buffer) => bytes.readUInt32BE(0) === 0x504b0304 || bytes.readUInt32BE(0) === 0x504b0506

/** Decompressed bytes of all ZIPs of a file so far, since they share one limit. */
type Inflated = { bytes: number }
const tableFiles = /\.(csv|tsv|txt|json|jsonl|xlsx)$/i
const bundledFiles = /\.(csv|tsv|txt|json|jsonl|xlsx|zip)$/i

/**
 * The tables of a file. Files that are added together arrive as one ZIP, which may hold ZIPs; a ZIP in those is read only as a
 * workbook, so decompression is at most three levels deep.
 */
async function readAny(
  name: string,
  bytes: Buffer,
  ignored: IgnoredFile[],
  inflated: Inflated = { bytes: 0 },
  isInner = false,
): Promise<FileTable[]> {
  if (bytes.length < 4) return readTable(name, bytes)
  if (bytes.readUInt32BE(0) === 0xd0cf11e0)
    throw new FileFault(
      `${name} is a workbook of an old format or has a password. Save it as .xlsx or CSV, without a password.`,
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
  if (isOwnExport(names)) return readOwnExport(bytes, inflated)
  const wanted = isInner ? tableFiles : bundledFiles
  for (const entry of names) if (!wanted.test(entry)) ignored.push({ name: entry, reason: reasonOf(entry) })
  const entries = await unzip(bytes, (entry) => wanted.test(entry), inflated)
  const tables: FileTable[] = []
  let rows = 0
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const title = entry.name.replace(/^.*\//, '')
    const found =
      isInner && isWorkbook(entry.bytes)
        ? await (await workbooks()).readWorkbook(title, entry.bytes)
        : await readAny(title, entry.bytes, ignored, inflated, true)
    if (found.length === 0) ignored.push({ name: entry.name, reason: noRows })
    tables.push(...found)
    rows += found.reduce((sum, table) => sum + table.rows.length, 0)
    // before the next file: all rows together must fit into the thread's memory
    requireRows(rows)
  }
  return tables
}

async function unzip(bytes: Buffer, wants: (name: string) => boolean, inflated: Inflated) {
  const entries = await readZip(bytes, wants, { used: inflated.bytes })
  inflated.bytes += entries.reduce((sum, entry) => sum + entry.bytes.length, 0)
  return entries
}

/** Of an export of ours the lists that an import takes back, with the time zone of their times. */
async function readOwnExport(bytes: Buffer, inflated: Inflated): Promise<FileTable[]> {
  const entries = await unzip(bytes, (entry) => entry === 'manifest.json' || isOwnList(entry), inflated)
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
