/** Replaces the given fields of a filter; an undefined one is removed. */
type Change<Filter> = { [name in keyof Filter]?: Filter[name] | undefined }

/** `replace`: the address takes the place of the one before. */
type ChangeOptions = { replace?: boolean }

/** What `getRouteApi` returns, as far as a list uses it. */
export type ListRoute<Filter> = {
  useSearch: () => object
  useNavigate: () => (
    to: ChangeOptions & { search: (now: Filter) => Filter; resetScroll: boolean },
  ) => Promise<void>
}

export type ListAddress<Filter> = {
  filter: Filter
  /** Whether the list leaves records out; a sort does not. */
  isFiltered: boolean
  setFilter: (change: Change<Filter>, options?: ChangeOptions) => void
  setSort: (sort: string | undefined) => void
  /** Shows the filter of another address, such as that of a saved view. */
  show: (params: Record<string, unknown>) => void
}

/**
 * The filter and the sort of a list, which are in the address of its page; `read` checks them. Every change of them scrolls
 * the page to its top, unless it `keepsScroll`.
 */
export function useListAddress<Filter extends object>(
  route: ListRoute<NoInfer<Filter>>,
  read: (params: Record<string, unknown>) => Filter,
  { keepsScroll = false } = {},
): ListAddress<Filter> {
  const filter = read({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const change = (search: (now: Filter) => Filter, options?: ChangeOptions) =>
    void navigate({ search, resetScroll: !keepsScroll, ...options })
  return {
    filter,
    isFiltered: Object.keys(filter).some((name) => name !== 'sort'),
    setFilter: (fields, options) => change((now) => ({ ...now, ...fields }), options),
    setSort: (sort) => change((now) => ({ ...now, sort })),
    show: (params) => change(() => read(params)),
  }
}
