import type { Static, TSchema } from '@sinclair/typebox'
import type { FragmentSqlToken } from 'slonik'
import { type Db, row, sql } from '../../../db/db.ts'
import { type Page, pageSize, withCount } from './pages.ts'
import {
  isAfter,
  keysOf,
  readSortCursor,
  type SortColumn,
  sortKeys,
  sortOrder,
  toSortedPage,
  typed,
  valuesOf,
} from './sorted-pages.ts'

/** The groups by which a list of documents is sorted, such as locations; their alias in SQL is `g`. */
type Grouping = {
  /** SQL row source with the alias `g`. */
  from: FragmentSqlToken
  /** SQL condition: `g` is a group of the shop. */
  isListed: FragmentSqlToken
  /** SQL condition: the document is in group `g`. */
  isOf: FragmentSqlToken
  /** SQL row source of the documents of group `g` with their alias, where no index of the documents has them by group. */
  documents?: FragmentSqlToken
  /** The documents without a group. Their keys, instead of those of a group, are lower than those of each group. */
  rest?: { isOf: FragmentSqlToken; keys: readonly string[] }
}

/** The last column is the id of the document. In a sort by group, the newest document of each group comes first in both directions. */
export type DocumentSort = { columns: readonly SortColumn[]; grouping: Grouping | null }

/** One of the sorts of a list, for the id of its documents. */
export type Sorting = (id: FragmentSqlToken, isDescending: boolean) => DocumentSort

const byId: Sorting = (id, isDescending) => ({
  columns: [{ sql: id, type: 'int8', isDescending }],
  grouping: null,
})

/** The columns of a sort by the name of group `g`. */
export const nameColumns = (id: FragmentSqlToken, isDescending: boolean): readonly SortColumn[] => [
  { sql: sql.fragment`lower(g.name)`, type: 'text', isDescending },
  { sql: sql.fragment`g.id`, type: 'int8', isDescending },
  { sql: id, type: 'int8', isDescending: true },
]

/** Sorts by the name of group `g`, such as `location g`; `groupId` is the document's column with the group's row id. */
export const byName =
  (shopId: number, from: FragmentSqlToken, groupId: FragmentSqlToken): Sorting =>
  (id, isDescending) => ({
    columns: nameColumns(id, isDescending),
    grouping: {
      from,
      isListed: sql.fragment`g.shop_id = ${shopId}`,
      isOf: sql.fragment`g.id = ${groupId}`,
    },
  })

/** Sorts by status, in the order of `statuses`. */
export const byStatus =
  (status: FragmentSqlToken, statuses: readonly string[]): Sorting =>
  (id, isDescending) => ({
    columns: [
      { sql: sql.fragment`g.rank`, type: 'int8', isDescending },
      { sql: id, type: 'int8', isDescending: true },
    ],
    grouping: {
      from: sql.fragment`unnest(${sql.array([...statuses], 'text')}) with ordinality as g (status, rank)`,
      isListed: sql.fragment`true`,
      isOf: sql.fragment`g.status = ${status}`,
    },
  })

/** The sorts that a list has beside `newest` and `oldest`. A minus before the name of one sorts in descending order. */
export type Sorts<Name extends string> = Record<Exclude<Name, 'newest' | 'oldest' | `-${string}`>, Sorting>

type DocumentFilter<Name extends string> = { sort?: Name; limit?: number; cursor?: string; count?: boolean }

type DocumentList<Name extends string, R extends TSchema> = Pick<
  Documents,
  'from' | 'alias' | 'conditions' | 'isNarrow'
> & {
  row: R
  sorts: Sorts<Name>
  /** SQL: the columns of a row, and what they need beside `from`. */
  fields: FragmentSqlToken
  joins: FragmentSqlToken
}

/**
 * Lists documents of the shop, the newest first unless `sort` says otherwise: the ids of a page first, then the columns of those
 * alone. Throws invalid_request for a cursor of another sort.
 */
export async function listDocuments<
  Name extends string,
  R extends TSchema & { static: { id: number; sortKeys: string[] } },
>(
  db: Db,
  shopId: number,
  filter: DocumentFilter<Name>,
  { row: documentRow, sorts, fields, joins, ...documents }: DocumentList<Name, R>,
): Promise<Page<Static<R>>> {
  const { from, alias } = documents
  const id = sql.identifier([alias, 'id'])
  const isOfShop = sql.fragment`${sql.identifier([alias, 'shop_id'])} = ${shopId}`
  const conditions = [isOfShop, ...documents.conditions]
  const name = filter.sort ?? 'newest'
  const sort = sortOf(name, sql.fragment`${id}`, sorts)
  const columns = listedColumns(sort)
  const limit = pageSize(filter) + 1
  const after = readDocumentCursor(name, columns, filter.cursor)
  const rows = db.any(sql.type(row(documentRow))`
    with page as materialized (${pageIds({ ...documents, conditions, sort, after, limit })})
    select ${fields}, ${sortKeys(columns)} as sort_keys
    from page
    join ${from} on ${isOfShop} and ${id} = page.id
    ${joins}
    ${joinGroup(sort)}
    order by ${sortOrder(columns)}
    limit ${limit}
  `)
  const page = rows.then((found) => toDocumentPage(name, found, filter))
  return withCount(db, filter, sql.fragment`from ${from} where ${sql.and(conditions)}`, page)
}

function sortOf<Name extends string>(
  name: Name | 'newest',
  id: FragmentSqlToken,
  sorts: Sorts<Name>,
): DocumentSort {
  if (name === 'newest' || name === 'oldest') return byId(id, name === 'newest')
  return sorts[name.replace('-', '') as keyof Sorts<Name>](id, name.startsWith('-'))
}

type Documents = {
  /** SQL row source of the documents, and its alias. */
  from: FragmentSqlToken
  alias: 'b' | 'c' | 'r' | 't'
  /** They include the condition of the shop. */
  conditions: readonly (FragmentSqlToken | false)[]
  /** True for a search, a list of ids or a location: few documents match, so the statement finds all of them and then sorts. */
  isNarrow: boolean
  sort: DocumentSort
  after: readonly string[] | null
  limit: number
}

/**
 * SQL: the ids of a page. A sort by group reads an index by group and id, and at most one page of each group. Where documents may
 * be without a group, the ids may be those of two pages; the list takes the first of them.
 */
function pageIds(documents: Documents) {
  const { from, alias, conditions, isNarrow, sort, after, limit } = documents
  const { grouping } = sort
  if (grouping && !isNarrow) return idsByGroup(documents, grouping)
  const columns = listedColumns(sort)
  const isNext = after !== null && (grouping ? isAfterInGroup(columns, after) : isAfter(columns, after))
  return sql.fragment`
    select ${sql.identifier([alias, 'id'])}
    from ${from} ${joinGroup(sort)}
    where ${sql.and([...conditions, isNext])}
    order by ${sortOrder(columns)}
    limit ${limit}
  `
}

function idsByGroup(
  { from, alias, conditions, sort: { columns }, after, limit }: Documents,
  grouping: Grouping,
) {
  const { documents, isOf, isListed, rest } = grouping
  const id = sql.identifier([alias, 'id'])
  const order = sortOrder(columns)
  const ofGroups = sql.fragment`
    select ${id}
    from ${grouping.from}
    cross join lateral (
      select ${id}
      from ${documents ?? from}
      where ${sql.and([...conditions, !documents && isOf, after !== null && isNextOfGroup(columns, after)])}
      order by ${id} desc
      limit ${limit}
    ) ${sql.identifier([alias])}
    where ${sql.and([isListed, after !== null && isGroupAfter(columns, after)])}
    order by ${order}
    limit ${limit}
  `
  const isInRest = rest?.keys.every((key, at) => key === after?.[at])
  if (!rest || (after !== null && !isInRest && !columns[0]?.isDescending)) return ofGroups
  return sql.fragment`
    (${ofGroups})
    union all
    (
      select ${id}
      from ${from}
      where ${sql.and([...conditions, rest.isOf, after !== null && isInRest && isIdAfter(columns, after)])}
      order by ${id} desc
      limit ${limit}
    )
  `
}

/** The columns of a document that may be without a group. */
const listedColumns = ({ columns, grouping }: DocumentSort): readonly SortColumn[] =>
  columns.map((column, at) => {
    const key = grouping?.rest?.keys[at]
    return key === undefined
      ? column
      : { ...column, sql: sql.fragment`coalesce(${column.sql}, ${typed(key, column.type)})` }
  })

/** SQL: joins the documents of a page with their groups, whose columns the order and the cursor need. */
function joinGroup({ grouping }: DocumentSort): FragmentSqlToken {
  if (!grouping) return sql.fragment``
  const { from, isListed, isOf, rest } = grouping
  return rest
    ? sql.fragment`left join ${from} on ${isListed} and ${isOf}`
    : sql.fragment`join ${from} on ${isListed} and ${isOf}`
}

/** The values of a cursor; in the sort `newest` the cursor is an id alone. Throws invalid_request for a cursor of another sort. */
export const readDocumentCursor = (
  sort: string,
  columns: readonly SortColumn[],
  cursor: string | undefined,
) =>
  sort === 'newest' && cursor !== undefined && /^\d+$/.test(cursor)
    ? [cursor]
    : readSortCursor(sort, columns, cursor)

/** Builds a page of sorted documents. In the sort `newest` its cursor is the id of the last document. */
export function toDocumentPage<T extends { id: number; sortKeys: readonly string[] }>(
  sort: string,
  rows: readonly T[],
  query: { limit?: number },
): Page<T> {
  const page = toSortedPage(sort, rows, query)
  const hasIdCursor = sort === 'newest' && page.next !== null
  return hasIdCursor ? { ...page, next: page.records.at(-1)?.id ?? null } : page
}

/** SQL condition: the row comes after the cursor of a sort by group. */
export function isAfterInGroup(columns: readonly SortColumn[], values: readonly string[]): FragmentSqlToken {
  const { group, id } = partsOf(columns, values)
  return sql.fragment`
    (${isAfter(group, values)} or (${isGroup(group, values)} and ${id.sql} < ${id.last}))
  `
}

function isIdAfter(columns: readonly SortColumn[], values: readonly string[]): FragmentSqlToken {
  const { id } = partsOf(columns, values)
  return sql.fragment`${id.sql} < ${id.last}`
}

/** SQL condition: the group may have rows after the cursor. */
export function isGroupAfter(columns: readonly SortColumn[], values: readonly string[]): FragmentSqlToken {
  const { group } = partsOf(columns, values)
  return group[0]?.isDescending
    ? sql.fragment`(${keysOf(group)}) <= (${valuesOf(group, values)})`
    : sql.fragment`(${keysOf(group)}) >= (${valuesOf(group, values)})`
}

/** The condition of `isAfterInGroup` inside one group of `isGroupAfter`: it compares only the id, so that an index serves it. */
function isNextOfGroup(columns: readonly SortColumn[], values: readonly string[]): FragmentSqlToken {
  const { group, id } = partsOf(columns, values)
  return sql.fragment`
    ${id.sql} < case when ${isGroup(group, values)} then ${id.last} else 9223372036854775807 end
  `
}

const isGroup = (group: readonly SortColumn[], values: readonly string[]) =>
  sql.fragment`(${keysOf(group)}) = (${valuesOf(group, values)})`

function partsOf(columns: readonly SortColumn[], values: readonly string[]) {
  const [last] = columns.slice(-1)
  if (!last) throw new Error('A sort has no columns')
  const id = { sql: last.sql, last: valuesOf([last], values.slice(-1)) }
  return { group: columns.slice(0, -1), id }
}
