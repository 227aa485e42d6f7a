import { type Static, Type } from '@sinclair/typebox'
import { Id, type PageQuery } from '../schemas/common.ts'

/** One page of a list: its records, and the cursor of the next page when there is one. */
export type Page<T> = { records: readonly T[]; next: number | string | null }

export const pageSize = ({ limit }: Pick<PageQuery, 'limit'>) => limit ?? 250

/** Cuts the one record that was asked for beyond the page, and which tells that there is more. */
export function toPage<T extends { id: number }>(records: readonly T[], query: PageQuery): Page<T> {
  const page = records.slice(0, pageSize(query))
  return { records: page, next: records.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

/** The columns that a list in the order of two numbers selects for its cursor; the schema of an answer leaves them out. */
export const PairKey = Type.Object({ rank: Type.Integer(), rowId: Id })
type PairKey = Static<typeof PairKey>

/** The two numbers that a cursor names (`PairCursor` of the schemas). */
export function readPair(cursor: string | undefined): PairKey | null {
  const [rank, rowId] = cursor?.split('-').map(Number) ?? []
  return rank === undefined || rowId === undefined ? null : { rank, rowId }
}

/** As `toPage`, of a list in the order of two numbers. */
export function toPairPage<T extends PairKey>(rows: readonly T[], query: Pick<PageQuery, 'limit'>): Page<T> {
  const page = rows.slice(0, pageSize(query))
  const last = rows.length > page.length ? page.at(-1) : undefined
  return { records: page, next: last ? `${last.rank}-${last.rowId}` : null }
}
