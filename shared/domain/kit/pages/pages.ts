import { type Static, Type } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, type PageQuery } from '../../../schemas/common.ts'

/** One page of a list: its records, the cursor of the next page when there is one, and the size of the list when asked for. */
export type Page<T> = { records: readonly T[]; next: number | string | null; count?: ListCount }

/** The number of records of a list; with `isExact` false it has at least that many. */
export type ListCount = { total: number; isExact: boolean }

/** Counting stops here, so that it costs the same in any larger list. */
const maxCount = 10_000

const CountRow = Type.Object({ total: Type.Integer() })

/**
 * Reads a page and, when the request has `count`, the size of the list at the same time. `rows` is the SQL after `select`:
 * `from … where …` of the list without its cursor.
 */
export async function withCount<T>(
  db: Db,
  { count = false }: { count?: boolean },
  rows: FragmentSqlToken,
  page: Promise<Page<T>>,
): Promise<Page<T>> {
  if (!count) return page
  const [read, size] = await Promise.all([page, countRows(db, rows)])
  return { ...read, count: size }
}

async function countRows(db: Db, rows: FragmentSqlToken): Promise<ListCount> {
  const { total } = await db.one(sql.type(row(CountRow))`
    select count(*) as total from (select ${rows} limit ${maxCount + 1}) counted
  `)
  return { total: Math.min(total, maxCount), isExact: total <= maxCount }
}

export const pageSize = ({ limit }: Pick<PageQuery, 'limit'>) => limit ?? 250

/** SQL condition: `id` is one of `ids`, such as `3,7`. Returns false without a filter, which `sql.and` leaves out. */
export const isOneOf = (id: FragmentSqlToken, ids: string | undefined) =>
  ids !== undefined && sql.fragment`${id} = any(${sql.array(ids.split(',').map(Number), 'int8')})`

/** Builds a page from `pageSize + 1` requested records: the extra record only shows that another page follows. */
export function toPage<T extends { id: number }>(records: readonly T[], query: PageQuery): Page<T> {
  const page = records.slice(0, pageSize(query))
  return { records: page, next: records.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

/** Cursor columns of a list sorted by two numbers, (rank, row id). The response schema leaves them out. */
export const PairKey = Type.Object({ rank: Type.Integer(), rowId: Id })
export type PairKey = Static<typeof PairKey>

/** Parses a cursor such as `12-345` (`PairCursor` in the schemas); null without a cursor. */
export function readPair(cursor: string | undefined): PairKey | null {
  const [rank, rowId] = cursor?.split('-').map(Number) ?? []
  return rank === undefined || rowId === undefined ? null : { rank, rowId }
}

/** Like `toPage`, for a list sorted by (rank, row id). */
export function toPairPage<T extends PairKey>(rows: readonly T[], query: Pick<PageQuery, 'limit'>): Page<T> {
  const page = rows.slice(0, pageSize(query))
  const last = rows.length > page.length ? page.at(-1) : undefined
  return { records: page, next: last ? `${last.rank}-${last.rowId}` : null }
}

/** SQL condition: a row comes after the cursor in a list that is sorted by an instant and an id. The rank is the instant in microseconds. */
export function isAfterInstant(
  { rank, rowId }: PairKey,
  [at, id]: readonly [FragmentSqlToken, FragmentSqlToken],
  isOldestFirst: boolean,
): FragmentSqlToken {
  const last = sql.fragment`(timestamptz 'epoch' + ${rank} * interval '1 microsecond', ${rowId}::bigint)`
  return isOldestFirst ? sql.fragment`(${at}, ${id}) > ${last}` : sql.fragment`(${at}, ${id}) < ${last}`
}
