import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../db/db.ts'
import type { StockLevelSort } from '../../../schemas/stock-levels.ts'
import { isAfter, type SortColumn, typed } from '../../kit/pages/sorted-pages.ts'

export type SortedLevels = Exclude<StockLevelSort, 'bin'>

const level = (isDescending: boolean): SortColumn[] => [
  { sql: sql.fragment`l.variant_id`, type: 'int8', isDescending },
  { sql: sql.fragment`l.location_id`, type: 'int8', isDescending },
]

/** Each sort begins with the columns of an index; the expressions are those of the index (migration 63). */
const keys = {
  sku: (isDescending: boolean): SortColumn[] => [
    { sql: sql.fragment`"left"(lower(v.sku), 100)`, type: 'text', isDescending },
    { sql: sql.fragment`v.id`, type: 'int8', isDescending },
    { sql: sql.fragment`l.location_id`, type: 'int8', isDescending },
  ],
  title: (isDescending: boolean): SortColumn[] => [
    { sql: sql.fragment`"left"(lower(p.title), 100)`, type: 'text', isDescending },
    { sql: sql.fragment`p.id`, type: 'int8', isDescending },
    ...level(isDescending),
  ],
  available: (isDescending: boolean): SortColumn[] => [
    { sql: sql.fragment`l.quantity`, type: 'int8', isDescending },
    ...level(isDescending),
  ],
}

const nameOf = (sort: SortedLevels) => sort.replace('-', '') as keyof typeof keys

/** The columns of a sort of levels `l` with their variants `v` and products `p`. */
export const columnsOfSort = (sort: SortedLevels): readonly SortColumn[] =>
  keys[nameOf(sort)](sort.startsWith('-'))

/**
 * SQL condition: the level comes after the cursor. The columns of SKU and title are of several tables, so a second condition names
 * those of the index alone: it begins at the cursor.
 */
export function isAfterCursor(sort: SortedLevels, values: readonly string[]): FragmentSqlToken {
  const columns = columnsOfSort(sort)
  const after = isAfter(columns, values)
  if (nameOf(sort) === 'available') return after
  const [name, id] = columns
  if (!name || !id) return after
  const begin = sql.fragment`(${typed(values[0] ?? '', name.type)}, ${typed(values[1] ?? '', id.type)})`
  return name.isDescending
    ? sql.fragment`${after} and (${name.sql}, ${id.sql}) <= ${begin}`
    : sql.fragment`${after} and (${name.sql}, ${id.sql}) >= ${begin}`
}
