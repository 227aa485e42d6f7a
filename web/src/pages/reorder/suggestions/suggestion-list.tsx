import { Button, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { ReorderDrafts, ReorderSuggestion } from '../../../../../shared/schemas/reorder-suggestions.ts'
import { listQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton, TextLink } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { ProductFacets } from '../../../components/pickers/product-facets.tsx'
import {
  type ProductSearch,
  productFilterOf,
  readProductSearch,
} from '../../../components/pickers/product-filter.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Empty } from '../../../components/tables/data-list.tsx'
import { Filters } from '../../../components/tables/filters.tsx'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { useListAddress } from '../../../components/tables/list/list-address.ts'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { noRules } from '../rules/no-rules.tsx'
import { CreatedDrafts } from './created-drafts.tsx'
import { OrderBar } from './order-bar.tsx'
import { useOpenRows } from './row-toggle.tsx'
import { suggestionColumns } from './suggestion-columns.tsx'
import { canOrder, groupSuggestions } from './suggestion-groups.ts'
import classes from './suggestion-list.module.css'
import { SupplierGroup } from './supplier-group.tsx'

const route = getRouteApi('/reorder')

/** Suggestions by supplier. Reads pages of the maximum size, so that most shops see all on the first page. */
export function SuggestionList() {
  const { filter, isFiltered, setFilter } = useListAddress(route, readProductSearch, { keepsScroll: true })
  const { search, vendor, productType, tag } = filter
  return (
    <PageBody>
      <PageHeader
        title="Reorder"
        actions={
          <>
            <CsvButton path="/reorder/suggestions" query={filter} name="reorder-suggestions" />
            <LinkButton to="/reorder/rules" variant="default">
              Reorder rules
            </LinkButton>
          </>
        }
      />
      <Text size="sm" c="dimmed">
        Products with a rule that are at or below their reorder point. What the next weeks need by the
        forecast, also of products without a rule, is in{' '}
        <TextLink to="/replenishment" search={{}} inherit>
          Replenishment
        </TextLink>
        .
      </Text>
      <Filters>
        <SearchField
          label="Product"
          placeholder="Title, SKU or barcode"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
        <ProductFacets value={productFilterOf(filter)} onChange={setFilter} />
      </Filters>
      <FilterChips<ProductSearch>
        filters={[
          ['search', 'Search', search],
          ['vendor', 'Vendor', vendor],
          ['productType', 'Product type', productType],
          ['tag', 'Tag', tag],
        ]}
        onChange={setFilter}
      />
      <Suggestions key={JSON.stringify(filter)} filter={filter} isFiltered={isFiltered} />
    </PageBody>
  )
}

function Suggestions({ filter, isFiltered }: { filter: ProductSearch; isFiltered: boolean }) {
  const { data, error, isPending, refetch, ...pages } = useInfiniteQuery(
    listQuery('GET /reorder/suggestions', { query: { limit: 250, ...filter } }),
  )
  const rules = useInfiniteQuery(listQuery('GET /reorder/rules', { query: { limit: 1 } }))
  const format = useFormat()
  const { timeZone } = useSettings()
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<number>>(new Set())
  const rows = useOpenRows()
  const [isEverything, setEverything] = useState(false)
  const [result, setResult] = useState<{ drafts: ReorderDrafts; recovered: number } | null>(null)
  const create = useChange('POST /reorder/purchase-orders', {
    onDone: (drafts, { body }) => {
      const ordered = drafts.purchaseOrders.reduce((sum, { lineItemCount }) => sum + lineItemCount, 0)
      // requested = ordered + skipped + recovered above their reorder points since the page loaded
      const requested = body?.ruleIds?.length ?? 0
      setResult({ drafts, recovered: Math.max(0, requested - ordered - drafts.skipped.length) })
      setSelectedIds(new Set())
      setEverything(false)
    },
  })
  const select = useCallback((ids: number | readonly number[], isSelected: boolean) => {
    setEverything(false)
    setSelectedIds((now) => {
      const next = new Set(now)
      for (const id of [ids].flat()) isSelected ? next.add(id) : next.delete(id)
      return next
    })
  }, [])

  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  const suggestions = data?.pages.flatMap(({ records }) => records) ?? []
  const selectable = suggestions.filter(canOrder)
  // a selected suggestion may have disappeared since
  const selected = selectable.filter(({ ruleId }) => isEverything || selectedIds.has(ruleId))
  const isSelected = ({ ruleId }: ReorderSuggestion) => isEverything || selectedIds.has(ruleId)
  const columns = suggestionColumns({ format, timeZone, isSelected, onSelect: select, rows })
  const isEmpty = !isPending && suggestions.length === 0

  if (isPending || (isEmpty && rules.isPending)) {
    return (
      <Card isFlush title="What to order">
        <RowTable label="What to order" columns={columns} rows={[]} keyOf={() => 0} isPending />
      </Card>
    )
  }
  const hasRules = rules.data?.pages.some(({ records }) => records.length > 0) ?? true
  return (
    <>
      {result && <CreatedDrafts {...result} onClose={() => setResult(null)} />}
      {isEmpty && (
        <Empty {...(isFiltered ? nothingFound(filter.search) : hasRules ? nothingToOrder : noRules)} />
      )}
      {groupSuggestions(suggestions).map((group) => (
        <SupplierGroup
          key={group.supplierId}
          group={group}
          rows={rows}
          columns={columns}
          isSelected={isSelected}
          onSelect={select}
        />
      ))}
      {pages.hasNextPage && (
        <div className={classes.more}>
          {error && <ErrorNotice error={error} />}
          <Button variant="default" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {selectable.length > 0 && (
        <OrderBar
          selected={selected.length}
          selectable={selectable.length}
          suppliers={new Set(selected.map(({ supplierId }) => supplierId)).size}
          // all suggestions at once would include those that the filter hides
          hasMore={pages.hasNextPage && !isFiltered}
          isEverything={isEverything}
          isBusy={create.isPending}
          error={create.error}
          onSelectAll={(isAll) =>
            select(
              selectable.map(({ ruleId }) => ruleId),
              isAll,
            )
          }
          onEverything={() => setEverything(true)}
          onOrder={() =>
            create.mutate({ body: isEverything ? {} : { ruleIds: selected.map(({ ruleId }) => ruleId) } })
          }
        />
      )}
    </>
  )
}

const nothingFound = (search?: string) =>
  search
    ? { title: `No results for “${search}”`, text: 'Clear the search, or try another title, SKU or barcode.' }
    : { title: 'Nothing to order for this filter', text: 'Clear a filter to see other suggestions.' }

const nothingToOrder = {
  title: 'Nothing to order',
  text: 'All products with a rule are above their reorder points.',
}
