import { buffer } from 'node:stream/consumers'
import readExcelFile from 'read-excel-file/node'
import { ZipFile } from 'yazl'
import { FileFault, limits } from './limits.ts'
import { type FileTable, requireColumns, requireRecords, toTable } from './tables.ts'
import { readZip } from './zip.ts'

/** The parts of a workbook with values; links to other files, macros, pictures and drawings are left out. */
const parts =
  /^(\[Content_Types\]\.xml|_rels\/\.rels|xl\/(_rels\/)?workbook\.xml(\.rels)?|xl\/(sharedStrings|styles)\.xml|xl\/worksheets\/[^/]+\.xml)$/
const declaration = /<!(DOCTYPE|ENTITY)/i

/**
 * Reads the sheets of an XLSX file. The library decompresses without limits, so it gets a copy of the parts that were
 * decompressed within ours. A formula has the value that the spreadsheet stored; nothing is computed or fetched.
 */
export async function readWorkbook(name: string, bytes: Buffer): Promise<FileTable[]> {
  const entries = await readZip(bytes, (part) => parts.test(part), { maxBytes: limits.workbookBytes })
  if (entries.some((entry) => declaration.test(entry.bytes.toString('latin1'))))
    throw new FileFault(`${name} declares XML entities, which no spreadsheet program writes. Save it as CSV.`)
  const tags = entries.reduce((sum, entry) => sum + countTags(entry.bytes), 0)
  if (tags > limits.tags)
    throw new FileFault(
      `${name} has too many cells. Keep the sheets with orders, or save each of them as CSV.`,
    )
  const rows = entries.reduce((sum, entry) => sum + countRows(entry), 0)
  requireRecords(name, rows)
  const copy = new ZipFile()
  for (const entry of entries) copy.addBuffer(entry.bytes, entry.name, { compress: false })
  copy.end()
  const sheets = await readSheets(name, await buffer(copy.outputStream))
  return sheets.flatMap(({ sheet, data }) => {
    const title = sheets.length === 1 ? name : `${name}, ${sheet}`
    requireColumns(title, data[0]?.length ?? 0)
    requireRecords(title, data.length)
    const table = toTable(
      title,
      data.map((cells) => cells.map(toText)),
    )
    return table ? [table] : []
  })
}

const rowTag = Buffer.from('<row')

function countRows({ name, bytes }: { name: string; bytes: Buffer }): number {
  if (!name.startsWith('xl/worksheets/')) return 0
  let count = 0
  for (let at = bytes.indexOf(rowTag); at !== -1; at = bytes.indexOf(rowTag, at + rowTag.length)) count += 1
  return count
}

function countTags(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(60); at !== -1; at = bytes.indexOf(60, at + 1)) count += 1
  return count
}

async function readSheets(name: string, file: Buffer) {
  try {
    return await readExcelFile(file, { parseNumber: (text) => text })
  } catch (cause) {
    throw new FileFault(
      `${name} is not a readable spreadsheet. Open it, save it as XLSX or CSV, and add that file.`,
      {
        cause,
      },
    )
  }
}

function toText(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime()) ? '' : cell.toISOString().slice(0, 19).replace('T00:00:00', '')
  const text = String(cell)
  // spreadsheets store 0.1 + 0.2 with 17 digits, and long numbers with an exponent
  return /^-?\d+(\.\d{12,})?(E[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text)) && text.length > 12
    ? plainNumber(text)
    : text
}

function plainNumber(text: string): string {
  if (/^-?\d+$/.test(text)) return text
  const value = Number(text)
  return Number.isSafeInteger(value) ? value.toFixed(0) : String(Number(value.toPrecision(14)))
}
