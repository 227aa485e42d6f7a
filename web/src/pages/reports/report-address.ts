import { type ListRoute, useListAddress } from '../../components/tables/list/list-address.ts'

/** The filter of a report, which is in the address. A change of it keeps the scroll of the page. */
export const useReportAddress = <Filter extends object>(
  route: ListRoute<NoInfer<Filter>>,
  read: (params: Record<string, unknown>) => Filter,
) => useListAddress(route, read, { keepsScroll: true })
