import { Button, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Alert } from '../../../../shared/schemas/alerts.ts'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { alertColumns, isNew } from './alert-columns.tsx'
import classes from './alert-list.module.css'
import { type AlertSearch, typeOptions } from './filter.ts'
import { alertsOf, useReadAlerts } from './read-alerts.ts'

const route = getRouteApi('/alerts')

/** What a merchant is told, and what of it is over. */
export function AlertList() {
  const search = route.useSearch()
  const { state, type } = search
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(alertsOf(search))
  const { day } = useFormat()
  const { readOne, readAll } = useReadAlerts(search)
  const hasNew = query.data?.pages.some(({ records }) => records.some(isNew)) ?? false
  const last: Column<Alert> =
    state === 'resolved'
      ? { name: 'Over since', cell: ({ resolvedAt }) => day(resolvedAt) }
      : {
          name: 'Read',
          isAction: true,
          cell: (alert) =>
            isNew(alert) && (
              <Button
                variant="default"
                size="compact-sm"
                className={classes.action}
                aria-label={`Mark as read: ${alert.message}`}
                onClick={({ currentTarget }) => {
                  // the button goes, and the focus must not go with it
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
          state === undefined && (
            <Button
              variant="default"
              disabled={!hasNew}
              onClick={() => readAll.mutate({ body: type ? { type } : {} })}
            >
              Mark all as read
            </Button>
          )
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
            label="About"
            data={typeOptions}
            value={type ?? null}
            onChange={(chosen) => navigate({ search: (now) => ({ ...now, type: chosen ?? undefined }) })}
            placeholder="Everything"
            clearable
            checkIconPosition="right"
          />
        </div>
      </div>
      <DataList
        label="Alerts"
        query={query}
        columns={[...alertColumns, last]}
        keyOf={({ id }) => id}
        empty={emptyOf(search)}
      />
    </PageBody>
  )
}

function emptyOf({ state, type }: AlertSearch) {
  if (type) return { title: 'No alert like this', text: 'Choose another kind, or look at all of them.' }
  if (state) return { title: 'Nothing yet', text: 'An alert that is over is listed here for a year.' }
  return {
    title: 'Nothing needs you',
    text: 'When stock falls below a reorder point, or an order is late, it is told here.',
  }
}
