import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../../db/db.ts'
import type { PurchaseOrderSort } from '../../../../schemas/purchase-orders.ts'
import { isAfterInGroup, isGroupAfter } from '../../../kit/pages/grouped-pages.ts'
import { isAfter, type SortColumn } from '../../../kit/pages/sorted-pages.ts'

const id = sql.fragment`o.id`

/** Each sort is the order of an index; the expressions are those of the index. */
const keys = {
  number: (isDescending: boolean): SortColumn[] => [
    { sql: sql.fragment`o.number`, type: 'int8', isDescending },
  ],
  expected: (isDescending: boolean): SortColumn[] => [
    {
      sql: isDescending
        ? sql.fragment`coalesce(o.due_at, '-infinity'::timestamptz)`
        : sql.fragment`coalesce(o.due_at, 'infinity'::timestamptz)`,
      type: 'timestamptz',
      isDescending,
    },
    { sql: id, type: 'int8', isDescending },
  ],
  total: (isDescending: boolean): SortColumn[] => [
    { sql: sql.fragment`(o.total * coalesce(o.rate, 1::numeric))`, type: 'numeric', isDescending },
    { sql: id, type: 'int8', isDescending },
  ],
  // by name; the orders of a supplier newest first, in both directions
  supplier: (isDescending: boolean): SortColumn[] => [
    { sql: sql.fragment`lower(s.name)`, type: 'text', isDescending },
    { sql: sql.fragment`s.id`, type: 'int8', isDescending },
    { sql: id, type: 'int8', isDescending: true },
  ],
}

/** The columns of a sort of orders `o` with their suppliers `s`. */
export function columnsOfSort(sort: PurchaseOrderSort): readonly SortColumn[] {
  if (sort === 'newest' || sort === 'oldest') {
    return [{ sql: id, type: 'int8', isDescending: sort === 'newest' }]
  }
  const isDescending = sort.startsWith('-')
  return keys[(isDescending ? sort.slice(1) : sort) as keyof typeof keys](isDescending)
}

export const isBySupplier = (sort: PurchaseOrderSort): boolean => sort.endsWith('supplier')

/** SQL condition: order `o` comes after the cursor. */
export const isAfterCursor = (sort: PurchaseOrderSort, values: readonly string[]): FragmentSqlToken =>
  (isBySupplier(sort) ? isAfterInGroup : isAfter)(columnsOfSort(sort), values)

/** SQL condition: supplier `s` has orders after the cursor of a sort by supplier. */
export const isSupplierAfterCursor = (sort: PurchaseOrderSort, values: readonly string[]): FragmentSqlToken =>
  isGroupAfter(columnsOfSort(sort), values)
