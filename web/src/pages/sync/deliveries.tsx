import { Button, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Delivery } from '../../../../shared/schemas/sync.ts'
import { listing, showingRecords, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone, notifyRefused } from '../../components/feedback/notify.ts'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { stateNames, states } from './filter.ts'
import classes from './sync.module.css'

const route = getRouteApi('/sync')
const refreshMs = 5_000

/** News by what became of it; what failed can be applied again. */
export function Deliveries() {
  const { state = 'failed' } = route.useSearch()
  const list = listing('GET /sync/deliveries', { query: { state } })
  const query = useInfiniteQuery({ ...list, refetchInterval: refreshMs })
  const { moment, count } = useFormat()
  const replay = useChange('POST /sync/deliveries/:id/replay', {
    shows: ({ params: { id } }) => showingRecords(list, (delivery) => (delivery.id === id ? null : delivery)),
    onDone: () => notifyDone('It is being applied again.'),
    onRefused: notifyRefused,
  })
  const failed = query.data?.pages.flatMap(({ records }) => records).filter((one) => one.state === 'failed')
  const columns: Column<Delivery>[] = [
    { name: 'News', cell: ({ topic }) => topicNames[topic] ?? topic },
    { name: 'Came', cell: ({ receivedAt }) => moment(receivedAt) },
    { name: 'What became of it', cell: ({ state: now, reason }) => reason || `${stateNames[now]}.` },
  ]
  const again: Column<Delivery> = {
    name: 'Apply again',
    isAction: true,
    cell: ({ id, topic, state: now }) =>
      now === 'failed' && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Apply again: ${topicNames[topic] ?? topic}, number ${id}`}
          onClick={() => replay.mutate({ params: { id } })}
        >
          Apply again
        </Button>
      ),
  }
  return (
    <section className={classes.news}>
      <div className={classes.head}>
        <Title order={2}>What became of the news</Title>
        {state === 'failed' && (
          <ReplayAll isUseful={failed !== undefined && failed.length > 0} count={count} />
        )}
      </div>
      <StatusLinks>
        {states.map((one) => (
          <StatusLink
            key={one}
            to="/sync"
            search={one === 'failed' ? {} : { state: one }}
            isChosen={one === state}
            resetScroll={false}
          >
            {stateNames[one]}
          </StatusLink>
        ))}
      </StatusLinks>
      <DataList
        label={`News: ${stateNames[state]}`}
        query={query}
        columns={state === 'failed' ? [...columns, again] : columns}
        keyOf={({ id }) => id}
        empty={
          state === 'failed'
            ? {
                title: 'Nothing has failed',
                text: 'News that cannot be applied is listed here, and can be applied again.',
              }
            : { title: 'Nothing here', text: 'News is kept for 30 days.' }
        }
      />
    </section>
  )
}

/** What the platform calls its news, in a merchant's words. */
const topicNames: Record<string, string> = {
  ORDERS_CREATE: 'An order was placed',
  PRODUCTS_UPDATE: 'A product was changed',
  INVENTORY_LEVELS_UPDATE: 'Stock was changed',
  APP_UNINSTALLED: 'The app was removed',
}

type ReplayAllProps = { isUseful: boolean; count: (number: number) => string }

function ReplayAll({ isUseful, count }: ReplayAllProps) {
  const [isAsked, setAsked] = useState(false)
  const replay = useChange('POST /sync/deliveries/replay-failed', {
    onDone: ({ replayed }) => {
      setAsked(false)
      notifyDone(`${count(replayed)} are being applied again.`)
    },
  })
  return (
    <>
      <Button variant="default" disabled={!isUseful} onClick={() => setAsked(true)}>
        Apply all again
      </Button>
      <Confirm
        isOpen={isAsked}
        title="Apply all that failed again?"
        confirm="Apply all again"
        isBusy={replay.isPending}
        error={replay.error}
        onConfirm={() => replay.mutate({})}
        onCancel={() => setAsked(false)}
      >
        What is out of date by now changes nothing, and nothing is counted twice.
      </Confirm>
    </>
  )
}
