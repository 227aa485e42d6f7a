import { Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'
import { badRequest } from '../../../errors.ts'
import { type Page, pageSize } from './pages.ts'

/** A column by which a list is sorted. The columns of a sort are those of an index, and the last one is unique in the shop. */
export type SortColumn = {
  sql: FragmentSqlToken
  type: 'int8' | 'numeric' | 'timestamptz' | 'text'
  isDescending: boolean
}

/** The cursor columns of a row; the response schema leaves them out. */
export const SortedKey = Type.Object({ sortKeys: Type.Array(Type.String()) })

const valid: Record<SortColumn['type'], (text: string) => boolean> = {
  int8: (text) => /^-?\d{1,18}$/.test(text),
  numeric: (text) => /^-?\d{1,30}(\.\d{1,30})?$/.test(text),
  // as Postgres writes it in our sessions, which are in UTC
  timestamptz: (text) =>
    /^-?infinity$/.test(text) ||
    (/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(text) &&
      !Number.isNaN(Date.parse(text.replace('+00', 'Z')))),
  text: (text) => text.length <= 1000 && text.isWellFormed() && !text.includes('\0'),
}

/**
 * The values of a cursor of this sort; null without a cursor. Throws invalid_request for the cursor of another sort. `isChosen`: the
 * list has other sorts, and the request names this one.
 */
export function readSortCursor(
  sort: string,
  columns: readonly SortColumn[],
  cursor: string | undefined,
  { isChosen = true }: { isChosen?: boolean } = {},
): readonly string[] | null {
  if (cursor === undefined) return null
  const [of, keys = ''] = cursor.split('.')
  if (of !== sort) throw otherSort(isChosen ? sort : undefined)
  const values = parseKeys(keys)
  const isValid =
    values.length === columns.length &&
    columns.every(({ type }, at) => typeof values[at] === 'string' && valid[type](values[at]))
  if (!isValid) throw refuse('must come from the Link header of a page')
  return values as string[]
}

const refuse = (message: string) => badRequest([{ path: '/cursor', message }])

/** The refusal of a cursor that is not one of this sort; a list may also have an order without a name. */
export const otherSort = (sort: string | undefined) =>
  refuse(`belongs to another sort; read the first page${sort ? ` of sort=${sort}` : ''} without a cursor`)

function parseKeys(keys: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(keys, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** SQL: the cursor columns of a row as texts that lose nothing. */
export const sortKeys = (columns: readonly SortColumn[]) =>
  sql.fragment`array[${sql.join(
    columns.map((column) => sql.fragment`(${column.sql})::text`),
    sql.fragment`, `,
  )}]`

export const sortOrder = (columns: readonly SortColumn[]) =>
  sql.join(
    columns.map(({ sql: key, isDescending }) =>
      isDescending ? sql.fragment`${key} desc` : sql.fragment`${key}`,
    ),
    sql.fragment`, `,
  )

/** SQL condition: the row comes after the cursor. All columns must have the same direction, so that one comparison of rows reads the index. */
export const isAfter = (columns: readonly SortColumn[], values: readonly string[]) =>
  columns[0]?.isDescending
    ? sql.fragment`(${keysOf(columns)}) < (${valuesOf(columns, values)})`
    : sql.fragment`(${keysOf(columns)}) > (${valuesOf(columns, values)})`

export const keysOf = (columns: readonly SortColumn[]) =>
  sql.join(
    columns.map((column) => column.sql),
    sql.fragment`, `,
  )

/** SQL: the values of a cursor. */
export const valuesOf = (columns: readonly SortColumn[], values: readonly string[]) =>
  sql.join(
    columns.map(({ type }, at) => typed(values[at] ?? '', type)),
    sql.fragment`, `,
  )

/** SQL: a value of a cursor. */
export const typed = (value: string, type: SortColumn['type']) =>
  sql.fragment`${value}::${sql.identifier([type])}`

/** Like `toPage`, for a sorted list. */
export function toSortedPage<T extends { sortKeys: readonly string[] }>(
  sort: string,
  rows: readonly T[],
  query: { limit?: number },
): Page<T> {
  const page = rows.slice(0, pageSize(query))
  const last = rows.length > page.length ? page.at(-1) : undefined
  const next = last && `${sort}.${Buffer.from(JSON.stringify(last.sortKeys)).toString('base64url')}`
  return { records: page, next: next ?? null }
}
