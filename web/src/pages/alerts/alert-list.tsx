import { Button, Select } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Alert } from '../../../../shared/schemas/alerts.ts'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { ageSorts } from '../../components/tables/list/age-sorts.ts'
import { FilterChips } from '../../components/tables/list/filter-chips.tsx'
import { type ListAddress, useListAddress } from '../../components/tables/list/list-address.ts'
import { ListRows } from '../../components/tables/list/list-rows.tsx'
import type { Selection } from '../../components/tables/list/use-selection.ts'
import type { Column } from '../../components/tables/row-table.tsx'
import { SearchField } from '../../components/tables/search-field.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { alertColumns, isUnread } from './alert-columns.tsx'
import classes from './alert-list.module.css'
import { type AlertSearch, alertLooks, readAlertFilter, typeOptions } from './filter.ts'
import { alertsQuery, useReadAlerts } from './read-alerts.ts'
import { unreadAlertsQuery } from './unread.ts'

const route = getRouteApi('/alerts')

/** The API's limit of alerts in one request. */
const maxIds = 1_000

/** The open or the resolved alerts. */
export function AlertList() {
  const address = useListAddress(route, readAlertFilter)
  const { filter, setFilter } = address
  const { state, type, search } = filter
  const query = useInfiniteQuery(alertsQuery(filter))
  const { day } = useFormat()
  const { readOne, readAll } = useReadAlerts(filter)
  const { data: unread = '0' } = useQuery(unreadAlertsQuery)
  const isUnreadLoaded = query.data?.pages.some(({ records }) => records.some(isUnread)) ?? false
  const hasUnread = isUnreadLoaded || (query.hasNextPage && unread !== '0')
  const lastColumn: Column<Alert> =
    state === 'resolved'
      ? { name: 'Resolved on', cell: ({ resolvedAt }) => day(resolvedAt) }
      : {
          name: 'Read',
          isAction: true,
          cell: (alert) =>
            isUnread(alert) && (
              <Button
                variant="default"
                size="compact-sm"
                className={classes.action}
                aria-label={`Mark as read: ${alert.message}`}
                onClick={({ currentTarget }) => {
                  // the button disappears: move the focus to the link of the row
                  currentTarget.closest('tr')?.querySelector('a')?.focus()
                  readOne.mutate({ params: { id: alert.id } })
                }}
              >
                Mark as read
              </Button>
            ),
        }
  return (
    <PageBody>
      <PageHeader
        title="Alerts"
        actions={
          <>
            <CsvButton path="/alerts" query={filter} name="alerts" />
            {/* the API marks by type only: with a search, rows are selected */}
            {state === undefined && !search && (
              <Button
                variant="default"
                disabled={!hasUnread}
                onClick={() => readAll.mutate({ body: type ? { type } : {} })}
              >
                Mark all as read
              </Button>
            )}
          </>
        }
      />
      <AlertFilters filter={filter} setFilter={setFilter} />
      <FilterChips<AlertSearch>
        filters={[
          ['search', 'Search', search],
          ['type', 'Type', type && alertLooks[type][0]],
        ]}
        onChange={setFilter}
      />
      <ListRows
        list="alerts"
        address={address}
        label="Alerts"
        query={query}
        columns={[...alertColumns, lastColumn]}
        keyOf={({ id }) => id}
        sorts={ageSorts}
        {...(state === undefined && {
          bulk: {
            nameOf: ({ message }: Alert) => message,
            actions: (selection: Selection<Alert>) => (
              <Button
                size="xs"
                variant="default"
                disabled={selection.rows.length === 0}
                onClick={() => {
                  readAll.mutate({ body: { ids: selection.rows.map(({ id }) => id).slice(0, maxIds) } })
                  selection.clear()
                }}
              >
                Mark as read
              </Button>
            ),
          },
        })}
        empty={emptyOf(filter)}
      />
    </PageBody>
  )
}

type FilterProps = {
  filter: AlertSearch
  setFilter: ListAddress<AlertSearch>['setFilter']
}

const AlertFilters = ({ filter, setFilter }: FilterProps) => {
  const { state, type, search } = filter
  return (
    <div className={classes.filters}>
      <StatusLinks>
        <StatusLink to="/alerts" search={{ ...filter, state: undefined }} isChosen={state === undefined}>
          Open
        </StatusLink>
        <StatusLink to="/alerts" search={{ ...filter, state: 'resolved' }} isChosen={state === 'resolved'}>
          Resolved
        </StatusLink>
      </StatusLinks>
      <div className={classes.type}>
        <SearchField
          label="Search"
          placeholder="Product or order"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
      </div>
      <div className={classes.type}>
        <Select
          label="Type"
          data={typeOptions}
          value={type ?? null}
          onChange={(chosen) => setFilter({ type: chosen ?? undefined })}
          placeholder="All types"
          clearable
          checkIconPosition="right"
        />
      </div>
    </div>
  )
}

function emptyOf({ state, type, search }: AlertSearch) {
  if (search) return { title: `No results for “${search}”`, text: 'Clear the search or try another product.' }
  if (type) return { title: 'No matching alerts', text: 'Choose another type, or show all types.' }
  if (state) return { title: 'No resolved alerts', text: 'Resolved alerts are listed here for a year.' }
  return {
    title: 'No open alerts',
    text: 'You’ll see stock below a reorder point and overdue orders here.',
  }
}
