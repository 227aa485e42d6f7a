import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { listQuery } from '../../../api/queries.ts'
import type { Page } from '../../../api/request.ts'
import { hideUndo } from '../../../components/feedback/notify-undo.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { ProductFacets } from '../../../components/pickers/product-facets.tsx'
import { isProductFiltered, productFilterOf } from '../../../components/pickers/product-filter.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { Filters } from '../../../components/tables/filters.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { FailedPushes } from '../pushes/failed-pushes.tsx'
import { pollIntervalMs } from '../pushes/poll-interval.ts'
import { AdjustDialog } from './adjust-dialog.tsx'
import { keyOf } from './adjustment.ts'
import type { LevelFilter } from './filter.ts'
import { levelColumns } from './level-columns.tsx'
import { SelectionBar, useSelection } from './selection.tsx'

const route = getRouteApi('/stock')

export function LevelList() {
  const params = route.useSearch()
  const { search, locationId, sort } = params
  const ofProduct = productFilterOf(params)
  const filter = { search, locationId, sort, ...ofProduct }
  const navigate = route.useNavigate()
  const selection = useSelection()
  const [adjusted, setAdjusted] = useState<StockLevel | null>(null)
  const list = listQuery('GET /stock-levels', { query: filter })
  const query = useInfiniteQuery({
    ...list,
    refetchInterval: ({ state }) => isSyncing(state.data) && pollIntervalMs,
  })
  const setFilter = (change: LevelFilter, replace = false) =>
    navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const adjust = (level: StockLevel) => {
    hideUndo()
    setAdjusted(level)
  }
  const isFiltered = search !== undefined || locationId !== undefined || isProductFiltered(ofProduct)
  return (
    <PageBody>
      <PageHeader
        title="Stock"
        actions={
          <>
            <CsvButton path="/stock-levels" query={filter} name="stock" />
            <LinkButton to="/stock/bins" variant="default">
              Set bins
            </LinkButton>
            <LinkButton to="/stock/on-its-way" variant="default">
              Pending sync
            </LinkButton>
            <LinkButton to="/stock/history" variant="default">
              History
            </LinkButton>
          </>
        }
      />
      <FailedPushes isPolling={isSyncing(query.data)} />
      <Filters>
        <SearchField
          label="Search"
          placeholder="Title, SKU or barcode"
          value={search ?? ''}
          // replaces the history entry while typing, so that Back leaves the search in one step
          onSearch={(text) => setFilter({ search: text || undefined }, search !== undefined)}
        />
        <LocationPicker
          label="Location"
          placeholder="All locations"
          value={locationId ?? null}
          onChange={(id) => setFilter({ locationId: id ?? undefined })}
          isClearable
        />
        <Select
          label="Sort by"
          data={[
            { value: '', label: 'Newest products' },
            { value: 'bin', label: 'Bin' },
          ]}
          value={sort ?? ''}
          onChange={(value) => setFilter({ sort: value === 'bin' ? value : undefined })}
          allowDeselect={false}
          checkIconPosition="right"
        />
        <ProductFacets value={ofProduct} onChange={(change) => setFilter(change)} />
      </Filters>
      <SelectionBar selection={selection} locationId={locationId} />
      <DataList
        label="Stock by location"
        query={query}
        columns={levelColumns(useFormat(), adjust, selection)}
        keyOf={keyOf}
        empty={
          isFiltered
            ? {
                title: search ? `No results for “${search}”` : 'No stock matches these filters',
                text: search
                  ? 'Clear the search or try another title or SKU.'
                  : 'Choose another location, or clear a filter.',
              }
            : {
                title: 'No stock yet',
                text: 'Products that your shop tracks are listed here once they are imported.',
                action: <LinkButton to="/sync">Show import progress</LinkButton>,
              }
        }
      />
      <AdjustDialog level={adjusted} list={list} onClose={() => setAdjusted(null)} />
    </PageBody>
  )
}

const isSyncing = (levels: { pages: Page<StockLevel>[] } | undefined) =>
  levels?.pages.some(({ records }) => records.some(({ pendingQuantity }) => pendingQuantity !== 0)) ?? false
