/** The sort of a list as in the address: one of the API's sorts, undefined for its first one. */
export type Sorting = {
  value: string | undefined
  /** The sort without a choice. */
  first: string
  /** Every sort, for the menu. */
  options: readonly { value: string; label: string }[]
  onSort: (sort: string | undefined) => void
}

/** The sorts of a column: by a click on its head, first `sorts[0]`, then the other one. */
export type ColumnSorts = readonly [first: string, second: string]

const descending = ['newest']

const isDescending = (sort: string) => sort.startsWith('-') || descending.includes(sort)

/** `aria-sort` of a column head. */
export function ariaSort(sorts: ColumnSorts | undefined, { value, first }: Sorting) {
  const sort = value ?? first
  if (!sorts?.includes(sort)) return undefined
  return isDescending(sort) ? 'descending' : 'ascending'
}

export const nextSort = (sorts: ColumnSorts, { value, first }: Sorting) =>
  (value ?? first) === sorts[0] ? sorts[1] : sorts[0]
