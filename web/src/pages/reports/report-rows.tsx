import type { ComponentProps } from 'react'
import type { ListName } from '../../../../shared/schemas/list-views.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { type ColumnChoice, useColumnChoice } from '../../components/tables/list/column-choice.tsx'
import { queryOf, SavedViews } from '../../components/tables/list/saved-views.tsx'
import { ProductName } from '../../components/tables/product-name.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { useToday } from './period-filter.tsx'
import { withDays, withPeriod } from './periods.ts'

type ViewProps = {
  /** The name of its columns and saved views. */
  list: ListName
  /** As in the address: what a saved view keeps. */
  filter: Record<string, string | number | undefined>
  /** Shows the filter of a saved view, which the page's own reader of addresses checks. */
  onShow: (params: Record<string, string>) => unknown
}

/** The saved views of a report. One that was saved with a period has its days of today. */
export function ReportViews<T>({ list, filter, choice, onShow }: ViewProps & { choice: ColumnChoice<T> }) {
  const today = useToday()
  const paramsOf = (query: string) => withDays(Object.fromEntries(new URLSearchParams(query)), today)
  return (
    <SavedViews
      list={list}
      now={{ query: queryOf(withPeriod(filter, today)), columns: choice.chosen }}
      meaningOf={(query) => queryOf(paramsOf(query))}
      onShow={(view) => {
        choice.choose(view.columns)
        onShow(paramsOf(view.query))
      }}
    />
  )
}

export type ReportRowsProps<T> = ViewProps &
  Pick<ComponentProps<typeof DataList<T>>, 'label' | 'query' | 'keyOf' | 'empty'> & {
    columns: readonly Column<T>[]
  }

/** The rows of a report with their number, columns to choose and saved views. */
export function ReportRows<T>({ list, columns, filter, onShow, ...table }: ReportRowsProps<T>) {
  const choice = useColumnChoice(list, columns)
  return (
    <DataList
      {...table}
      hasBar
      columns={choice.shown}
      choice={choice}
      views={<ReportViews {...{ list, filter, choice, onShow }} />}
    />
  )
}

export const productColumn: Column<ComponentProps<typeof ProductName>> = {
  name: 'Product',
  cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
}
