import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { StockLevel, StockState } from '../../../../../shared/schemas/stock-levels.ts'
import { listQuery } from '../../../api/queries.ts'
import type { Page } from '../../../api/request.ts'
import { hideUndo } from '../../../components/feedback/notify-undo.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useLocationName } from '../../../components/pickers/location-name.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { ProductFacets } from '../../../components/pickers/product-facets.tsx'
import { productFilterOf } from '../../../components/pickers/product-filter.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { Filters } from '../../../components/tables/filters.tsx'
import { FilterChips } from '../../../components/tables/list/filter-chips.tsx'
import { useListAddress } from '../../../components/tables/list/list-address.ts'
import { ListRows } from '../../../components/tables/list/list-rows.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { useVariantTitle } from '../../../components/tables/variant-title.ts'
import { FailedPushes } from '../pushes/failed-pushes.tsx'
import { pollIntervalMs } from '../pushes/poll-interval.ts'
import { AdjustDialog } from './adjust-dialog.tsx'
import { keyOf } from './adjustment.ts'
import { LevelBulkActions } from './bulk-actions.tsx'
import { type LevelFilter, readLevelFilter, sorts, stockNames } from './filter.ts'
import { levelColumns, nameOf } from './level-columns.tsx'

const idleIntervalMs = 10_000

const route = getRouteApi('/stock')

export function LevelList() {
  const address = useListAddress(route, readLevelFilter, { keepsScroll: true })
  const { filter, isFiltered, setFilter } = address
  const { search, variantId, locationId, stock, vendor, productType, tag } = filter
  const [adjusted, setAdjusted] = useState<StockLevel | null>(null)
  const list = listQuery('GET /stock-levels', { query: { ...filter, count: true } })
  const query = useInfiniteQuery({
    ...list,
    // sales arrive while the page is open
    refetchInterval: ({ state }) => (isSyncing(state.data) ? pollIntervalMs : idleIntervalMs),
  })
  const adjust = (level: StockLevel) => {
    hideUndo()
    setAdjusted(level)
  }
  const place = useLocationName(locationId)
  const product = useVariantTitle(variantId)
  return (
    <PageBody>
      <PageHeader title="Stock" actions={<StockActions filter={filter} />} />
      <FailedPushes isPolling={isSyncing(query.data)} />
      <Filters>
        <SearchField
          label="Search"
          placeholder="Title, SKU or barcode"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
        <LocationPicker
          label="Location"
          placeholder="All locations"
          value={locationId ?? null}
          onChange={(id) => setFilter({ locationId: id ?? undefined })}
          isClearable
        />
        <Select
          label="Availability"
          placeholder="All stock"
          data={Object.entries(stockNames).map(([value, label]) => ({ value, label }))}
          value={stock ?? null}
          onChange={(value) => setFilter({ stock: (value as StockState | null) ?? undefined })}
          clearable
          checkIconPosition="right"
        />
        <ProductFacets value={productFilterOf(filter)} onChange={setFilter} />
      </Filters>
      <FilterChips<LevelFilter>
        filters={[
          ['search', 'Search', search],
          ['variantId', 'Product', product],
          ['locationId', 'Location', place],
          ['stock', 'Availability', stock && stockNames[stock]],
          ['vendor', 'Vendor', vendor],
          ['productType', 'Product type', productType],
          ['tag', 'Tag', tag],
        ]}
        onChange={setFilter}
      />
      <ListRows
        list="stock"
        address={address}
        label="Stock by location"
        query={query}
        columns={levelColumns(useFormat(), adjust)}
        keyOf={keyOf}
        sorts={sorts}
        bulk={{
          nameOf,
          actions: (selection) => <LevelBulkActions selection={selection} locationId={locationId} />,
        }}
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

const StockActions = ({ filter }: { filter: LevelFilter }) => (
  <>
    <CsvButton path="/stock-levels" query={filter} name="stock" />
    <LinkButton to="/stock/import" variant="default">
      Import stock
    </LinkButton>
    <LinkButton to="/stock/bins" variant="default">
      Set bins
    </LinkButton>
    <LinkButton to="/stock/labels" variant="default">
      Labels
    </LinkButton>
    <LinkButton to="/stock/on-its-way" variant="default">
      Pending sync
    </LinkButton>
    <LinkButton to="/stock/history" variant="default">
      History
    </LinkButton>
  </>
)
