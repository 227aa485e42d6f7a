import { Button, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Alert } from '../../../../shared/schemas/alerts.ts'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { alertColumns, isUnread } from './alert-columns.tsx'
import classes from './alert-list.module.css'
import { type AlertSearch, typeOptions } from './filter.ts'
import { alertsQuery, useReadAlerts } from './read-alerts.ts'

const route = getRouteApi('/alerts')

/** The open or the resolved alerts. */
export function AlertList() {
  const search = route.useSearch()
  const { state, type } = search
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(alertsQuery(search))
  const { day } = useFormat()
  const { readOne, readAll } = useReadAlerts(search)
  const hasUnread = query.data?.pages.some(({ records }) => records.some(isUnread)) ?? false
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
            <CsvButton path="/alerts" query={{ state, type }} name="alerts" />
            {state === undefined && (
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
      <div className={classes.filters}>
        <StatusLinks>
          <StatusLink to="/alerts" search={{ type }} isChosen={state === undefined}>
            Open
          </StatusLink>
          <StatusLink to="/alerts" search={{ type, state: 'resolved' }} isChosen={state === 'resolved'}>
            Resolved
          </StatusLink>
        </StatusLinks>
        <div className={classes.type}>
          <Select
            label="Type"
            data={typeOptions}
            value={type ?? null}
            onChange={(chosen) => navigate({ search: (now) => ({ ...now, type: chosen ?? undefined }) })}
            placeholder="All types"
            clearable
            checkIconPosition="right"
          />
        </div>
      </div>
      <DataList
        label="Alerts"
        query={query}
        columns={[...alertColumns, lastColumn]}
        keyOf={({ id }) => id}
        empty={emptyOf(search)}
      />
    </PageBody>
  )
}

function emptyOf({ state, type }: AlertSearch) {
  if (type) return { title: 'No matching alerts', text: 'Choose another type, or show all types.' }
  if (state) return { title: 'No resolved alerts', text: 'Resolved alerts are listed here for a year.' }
  return {
    title: 'No open alerts',
    text: 'You’ll see stock below a reorder point and overdue orders here.',
  }
}
