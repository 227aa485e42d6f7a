import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import type { ListName } from '../../../../shared/schemas/list-views.ts'
import type { Answer, CsvPath, Item, ListEndpoint, ReadEndpoint } from '../../api/endpoints.ts'
import { listQuery, readQuery } from '../../api/queries.ts'
import type { Page } from '../../api/request.ts'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import type { ListAddress, ListRoute } from '../../components/tables/list/list-address.ts'
import type { Column } from '../../components/tables/row-table.tsx'
import type { readAbcFilter, readCommitmentFilter } from './filter.ts'
import { useToday } from './period-filter.tsx'
import { useReportAddress } from './report-address.ts'
import { ReportList, ReportSearch } from './report-list.tsx'
import { ReportPage } from './report-page.tsx'
import { ReportRows, type ReportRowsProps } from './report-rows.tsx'

/** What the parts of a report are made of. */
type View<Chosen, Filter, Asked> = Pick<ListAddress<Chosen>, 'isFiltered' | 'setFilter' | 'show'> & {
  filter: Filter
  asked: Asked
  format: Format
  /** Today's date in the shop's time zone. */
  today: string
}

/** The filter goes from the address (`Chosen`) by `fill` to the saved views (`Filter`), and by `ask` to the API (`Asked`). */
type Definition<Path, Chosen, Filter, Asked> = {
  path: Path
  title: string
  /** Reads the filter from the address. */
  read: (params: Record<string, unknown>) => Chosen
  /** Adds the defaults that a saved view keeps. */
  fill?: (chosen: Chosen) => Filter
  /** Adds the defaults that it does not keep, such as days that end today. */
  ask?: (filter: Filter, today: string) => Asked
  /** Explains how the numbers are calculated. */
  meaning: (view: View<Chosen, Filter, Asked>) => ReactNode
  filters?: (view: View<Chosen, Filter, Asked>) => ReactNode
  /** The name of the CSV file, where it is not that of the path. */
  csvName?: (filter: Filter) => string
}

type PathOf<E> = E extends `GET ${infer Path extends CsvPath}` ? Path : never
type RowPath = PathOf<Extract<ListEndpoint, `GET /reports/${ListName}`>>
type FigurePath = PathOf<Extract<ReadEndpoint, `GET /reports/${string}`>>

type Row<Path extends RowPath> = Item<`GET ${Path}`>
type Rows<Path extends RowPath> = UseInfiniteQueryResult<InfiniteData<Page<Row<Path>>>>

type RowDefinition<Path extends RowPath, Chosen, Filter, Asked, Total> = Definition<
  Path,
  Chosen,
  Filter,
  Asked
> & {
  /** The rows are products: their search comes after the other filters, and has chips. */
  isOfProducts?: boolean
  /** Asks for the number of all rows. */
  hasCount?: boolean
  /** The name of the table, where it is not the title. */
  label?: string
  columns: (format: Format, asked: Asked) => Column<Row<Path>>[]
  keyOf: (row: Row<Path>) => string | number
  /** A second answer, for the parts around the rows. */
  useTotal?: (asked: Asked) => Total
  empty: (view: View<Chosen, Filter, Asked>, total: Total | undefined) => ReportRowsProps<never>['empty']
  above?: (rows: Rows<Path>, view: View<Chosen, Filter, Asked>, total: Total | undefined) => ReactNode
  below?: (rows: Rows<Path>, view: View<Chosen, Filter, Asked>) => ReactNode
}

/**
 * The page of a report with rows:
 *
 *     export const StockGapReport = report({
 *       path: '/reports/stock-gaps', title: 'Stock gaps', read: readProductSearch, isOfProducts: true,
 *       meaning: () => <p>…</p>, columns: (format) => […], keyOf: …, empty: () => ({ title: …, text: … }),
 *     })
 *
 * The path names the route, the endpoint, the CSV file, and the list of columns and saved views.
 */
export function report<Path extends RowPath, Chosen, Filter = Chosen, Asked = Filter, Total = undefined>(
  definition: RowDefinition<Path, Chosen, Filter, Asked, Total>,
) {
  return () => <RowReport definition={definition as unknown as AnyRows} />
}

// the compiler checks each definition against its own endpoint; the page treats them all as the one of this endpoint
type Query = ReturnType<typeof readAbcFilter>
type AnyRows = RowDefinition<'/reports/abc', Query, Query, Query, unknown>

function RowReport({ definition }: { definition: AnyRows }) {
  const { path, title, isOfProducts, hasCount, useTotal } = definition
  const view = useView(getRouteApi(path), definition)
  const { filter, asked, setFilter } = view
  const query = useInfiniteQuery(
    listQuery(`GET ${path}`, { query: { ...asked, ...(hasCount && { count: true }) } }),
  )
  const total = useTotal?.(asked)
  const table: ReportRowsProps<Row<'/reports/abc'>> = {
    list: nameOf(path) as ListName,
    label: definition.label ?? title,
    query,
    columns: definition.columns(view.format, asked),
    keyOf: definition.keyOf,
    filter,
    onShow: view.show,
    empty: definition.empty(view, total),
  }
  return (
    <ReportPage
      title={title}
      meaning={definition.meaning(view)}
      actions={csvOf(definition, view.filter, view.asked)}
      filters={
        <>
          {definition.filters?.(view)}
          {isOfProducts && <ReportSearch value={filter} onChange={setFilter} />}
        </>
      }
      isStale={query.isPlaceholderData}
    >
      {definition.above?.(query, view, total)}
      {isOfProducts ? (
        <ReportList {...table} filter={filter} onChange={setFilter} />
      ) : (
        <ReportRows {...table} />
      )}
      {definition.below?.(query, view)}
    </ReportPage>
  )
}

type FigureDefinition<Path extends FigurePath, Chosen, Filter, Asked> = Definition<
  Path,
  Chosen,
  Filter,
  Asked
> & {
  content: (figures: UseQueryResult<Answer<`GET ${Path}`>>, view: View<Chosen, Filter, Asked>) => ReactNode
}

/** The page of a report whose answer is one record. The figures of the previous filter stay until the new ones arrive. */
export function figureReport<Path extends FigurePath, Chosen, Filter = Chosen, Asked = Filter>(
  definition: FigureDefinition<Path, Chosen, Filter, Asked>,
) {
  return () => <FigureReport definition={definition as unknown as AnyFigures} />
}

type FigureQuery = ReturnType<typeof readCommitmentFilter>
type AnyFigures = FigureDefinition<'/reports/commitments', FigureQuery, FigureQuery, FigureQuery>

function FigureReport({ definition }: { definition: AnyFigures }) {
  const { path, title } = definition
  const view = useView(getRouteApi(path), definition)
  const query = useQuery({
    ...readQuery(`GET ${path}`, { query: view.asked }),
    placeholderData: keepPreviousData,
  })
  return (
    <ReportPage
      title={title}
      meaning={definition.meaning(view)}
      actions={csvOf(definition, view.filter, view.asked)}
      filters={definition.filters?.(view)}
      isStale={query.isPlaceholderData}
    >
      {definition.content(query, view)}
    </ReportPage>
  )
}

/** The path without `/reports/`. */
const nameOf = (path: string) => path.slice('/reports/'.length)

function useView<Filter extends object>(
  route: ListRoute<NoInfer<Filter>>,
  { read, fill, ask }: Pick<Definition<string, Filter, Filter, Filter>, 'read' | 'fill' | 'ask'>,
): View<Filter, Filter, Filter> {
  const address = useReportAddress(route, read)
  const today = useToday()
  const format = useFormat()
  const filter = fill ? fill(address.filter) : address.filter
  return { ...address, filter, asked: ask ? ask(filter, today) : filter, format, today }
}

function csvOf<Filter extends ComponentProps<typeof CsvButton>['query']>(
  { path, csvName }: Definition<CsvPath, Filter, Filter, Filter>,
  filter: Filter,
  asked: Filter,
) {
  return <CsvButton path={path} query={asked} name={csvName?.(filter) ?? nameOf(path)} />
}
