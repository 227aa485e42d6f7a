/** Replaces the given fields of a filter; an undefined one is removed. */
type Change<Filter> = { [name in keyof Filter]?: Filter[name] | undefined }

/** `replace`: the address takes the place of the one before. Without `resetScroll` the page stays where it is. */
type NavigateOptions = { replace?: boolean; resetScroll?: boolean }

/** Of `getRouteApi`. */
type ListRoute<Filter> = {
  useSearch: () => object
  useNavigate: () => (to: NavigateOptions & { search: (now: Filter) => Filter }) => Promise<void>
}

export type ListAddress<Filter> = {
  filter: Filter
  /** Whether the list leaves records out; a sort does not. */
  isFiltered: boolean
  setFilter: (change: Change<Filter>, options?: NavigateOptions) => void
  setSort: (sort: string | undefined) => void
  /** Shows the filter of another address, such as that of a saved view. */
  show: (params: Record<string, unknown>, options?: NavigateOptions) => void
}

/** The filter and the sort of a list, which are in the address of its page; `read` checks them. */
export function useListAddress<Filter extends object>(
  route: ListRoute<NoInfer<Filter>>,
  read: (params: Record<string, unknown>) => Filter,
  { resetScroll = true }: Pick<NavigateOptions, 'resetScroll'> = {},
): ListAddress<Filter> {
  const filter = read({ ...route.useSearch() })
  const navigate = route.useNavigate()
  return {
    filter,
    isFiltered: Object.keys(filter).some((name) => name !== 'sort'),
    setFilter: (change, options) =>
      void navigate({ search: (now) => ({ ...now, ...change }), resetScroll, ...options }),
    setSort: (sort) => void navigate({ search: (now) => ({ ...now, sort }), resetScroll }),
    show: (params, options) => void navigate({ search: () => read(params), ...options }),
  }
}
