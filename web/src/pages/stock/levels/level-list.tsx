import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { StockLevel } from '../../../../../shared/schemas/stock-levels.ts'
import { listing } from '../../../api/queries.ts'
import type { Page } from '../../../api/request.ts'
import { withdrawUndo } from '../../../components/feedback/notify-undo.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { SearchField } from '../../../components/tables/search-field.tsx'
import { FailedPushes } from '../pushes/failed-pushes.tsx'
import { pollIntervalMs } from '../pushes/moments.ts'
import classes from '../stock.module.css'
import { AdjustDialog } from './adjust-dialog.tsx'
import { keyOf } from './adjustment.ts'
import type { LevelFilter } from './filter.ts'
import { levelColumns } from './level-columns.tsx'

const route = getRouteApi('/stock')

export function LevelList() {
  const { search, locationId } = route.useSearch()
  const navigate = route.useNavigate()
  const [adjusted, setAdjusted] = useState<StockLevel | null>(null)
  const list = listing('GET /stock-levels', { query: { search, locationId } })
  const query = useInfiniteQuery({
    ...list,
    // what is on its way arrives without anybody doing anything here
    refetchInterval: ({ state }) => isMoving(state.data) && pollIntervalMs,
  })
  const limitTo = (change: LevelFilter, replace = false) =>
    navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const adjust = (level: StockLevel) => {
    withdrawUndo()
    setAdjusted(level)
  }
  const isFiltered = search !== undefined || locationId !== undefined
  return (
    <PageBody>
      <PageHeader
        title="Stock"
        actions={
          <>
            <CsvButton path="/stock-levels" query={{ search, locationId }} name="stock" />
            <LinkButton to="/stock/on-its-way" variant="default">
              On its way
            </LinkButton>
            <LinkButton to="/stock/history" variant="default">
              History
            </LinkButton>
          </>
        }
      />
      <FailedPushes isWatched={isMoving(query.data)} />
      <div className={classes.filters}>
        <SearchField
          label="Search"
          placeholder="Title, SKU or barcode"
          value={search ?? ''}
          // of the letters of one search the back button knows nothing
          onSearch={(words) => limitTo({ search: words || undefined }, search !== undefined)}
        />
        <LocationPicker
          label="Location"
          placeholder="All locations"
          value={locationId ?? null}
          onChange={(id) => limitTo({ locationId: id ?? undefined })}
          isClearable
        />
      </div>
      <DataList
        label="Stock by location"
        query={query}
        columns={levelColumns(useFormat(), adjust)}
        keyOf={keyOf}
        empty={
          isFiltered
            ? {
                title: 'Nothing like this',
                text: 'Search for another title or SKU, or choose another location.',
              }
            : {
                title: 'No stock yet',
                text: 'What your shop keeps count of is listed here as soon as its products are read.',
                action: <LinkButton to="/sync">See how far that is</LinkButton>,
              }
        }
      />
      <AdjustDialog level={adjusted} list={list} onClose={() => setAdjusted(null)} />
    </PageBody>
  )
}

const isMoving = (levels: { pages: Page<StockLevel>[] } | undefined) =>
  levels?.pages.some(({ records }) => records.some(({ pendingQuantity }) => pendingQuantity !== 0)) ?? false
