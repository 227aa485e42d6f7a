import { FileFault, limits } from './limits.ts'
import { type FileTable, requireColumns, tidy } from './tables.ts'
import { toUtf8 } from './text.ts'

type Json = { [name: string]: unknown }
type Table = { records: Map<string, string>[]; columns: Set<string> }

/**
 * Reads lists of records: an object with lists by name, a list, or a record per line. A list inside a record becomes a
 * table of its own, whose rows name the record they belong to; an object inside a record becomes columns.
 */
export function readJson(name: string, bytes: Uint8Array): FileTable[] {
  if (bytes.length > limits.jsonBytes)
    throw new FileFault(
      `${name} is larger than ${limits.jsonBytes / 1024 / 1024} MB. Split its lists into several files.`,
    )
  const { bytes: text } = toUtf8(bytes)
  requireSize(name, text)
  const data = parseJson(name, new TextDecoder().decode(text))
  const tables = new Map<string, Table>()
  const title = name.replace(/\.\w+$/, '').replace(/^.*\//, '')
  const lists = Array.isArray(data) ? { [title]: data } : listsOf(data as Json, title)
  for (const [list, records] of Object.entries(lists)) addRecords(tables, list, records, null, 0)
  return [...tables].map(([list, { records, columns }]) => {
    requireColumns(`${name}, ${list}`, columns.size)
    const names = [...columns]
    return {
      name: `${name}, ${list}`,
      columns: names.map((column) => column.slice(0, 200)),
      rows: records.map((record, at) => ({
        row: at + 1,
        cells: names.map((column) => tidy(record.get(column) ?? '')),
      })),
      encoding: 'UTF-8',
    }
  })
}

/** Before it is parsed: each `{}` and `[]` of three bytes becomes an object of fifty, and each comma a value. */
function requireSize(name: string, text: Uint8Array): void {
  let objects = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]
    if (byte === 0x7b || byte === 0x5b) objects += 1
    else if (byte === 0x2c) values += 1
  }
  if (objects <= limits.jsonObjects && values <= limits.jsonValues) return
  throw new FileFault(
    `${name} has more than ${limits.rows} rows, or far more fields than lists of orders have. Split it.`,
  )
}

function parseJson(name: string, text: string): unknown {
  const body = text.replace(/^\uFEFF/, '').trim()
  try {
    return JSON.parse(body)
  } catch {
    try {
      return body
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line))
    } catch {
      throw new FileFault(`${name} is not complete JSON. Download it again, and add that file.`)
    }
  }
}

function listsOf(data: Json, title: string): Record<string, unknown[]> {
  if (data === null || typeof data !== 'object') throw new FileFault(`${title} holds no list of records.`)
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  // one record
  if (lists.length === 0 || lists.every(([, list]) => !isRecord(list[0]))) return { [title]: [data] }
  const isRecordWithLines = Object.keys(data).some((key) => /^(id|number)$/.test(key))
  return isRecordWithLines ? { [title]: [data] } : Object.fromEntries(lists)
}

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function addRecords(
  tables: Map<string, Table>,
  list: string,
  records: unknown[],
  parent: [string, string] | null,
  depth: number,
): void {
  if (depth > limits.jsonDepth) throw new FileFault('This JSON is nested too deeply.')
  for (const value of records) {
    if (!isRecord(value)) continue
    const table = tables.get(list) ?? { records: [], columns: new Set<string>() }
    tables.set(list, table)
    const record = new Map<string, string>()
    const inner: [string, unknown[]][] = []
    flatten(value, '', record, inner, 0)
    if (parent && !record.has(parent[0])) record.set(parent[0], parent[1])
    for (const column of record.keys()) table.columns.add(column)
    table.records.push(record)
    if (table.records.length > limits.rows) break
    const id = record.get('id') ?? record.get('number') ?? ''
    for (const [name, lines] of inner)
      addRecords(tables, `${list} ${name}`, lines, [`${singular(list)}_id`, id], depth + 1)
  }
}

function flatten(
  value: Json,
  prefix: string,
  record: Map<string, string>,
  inner: [string, unknown[]][],
  depth: number,
): void {
  if (depth > limits.jsonDepth) throw new FileFault('This JSON is nested too deeply.')
  for (const [name, field] of Object.entries(value)) {
    const column = prefix + name
    if (Array.isArray(field)) {
      if (isRecord(field[0])) inner.push([name, field])
      else record.set(column, field.join(', '))
    } else if (isRecord(field)) flatten(field, `${column}_`, record, inner, depth + 1)
    else record.set(column, field === null ? '' : String(field))
  }
}

const singular = (list: string) => list.replace(/^.* /, '').replace(/s$/, '')
