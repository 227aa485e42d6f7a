import { Button, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Delivery } from '../../../../shared/schemas/sync.ts'
import { listQuery, optimisticListUpdate, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone, notifyRefused } from '../../components/feedback/notify.ts'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { stateNames, states } from './filter.ts'
import classes from './sync.module.css'
import { topicName } from './topic-names.ts'

const route = getRouteApi('/sync')
const refreshMs = 5_000

/** The log of platform updates by state. Failed updates can be retried. */
export function Deliveries() {
  const { state = 'failed' } = route.useSearch()
  const list = listQuery('GET /sync/deliveries', { query: { state } })
  const query = useInfiniteQuery({ ...list, refetchInterval: refreshMs })
  const { dateTime } = useFormat()
  const replay = useChange('POST /sync/deliveries/:id/replay', {
    optimistic: ({ params: { id } }) =>
      optimisticListUpdate(list, (delivery) => (delivery.id === id ? null : delivery)),
    onDone: () => notifyDone('Retrying 1 update'),
    onRefused: notifyRefused,
  })
  const failed = query.data?.pages
    .flatMap(({ records }) => records)
    .filter((delivery) => delivery.state === 'failed')
  const columns: Column<Delivery>[] = [
    { name: 'Update', cell: ({ topic }) => topicName(topic) },
    { name: 'Received', cell: ({ receivedAt }) => dateTime(receivedAt) },
    { name: 'Result', cell: (delivery) => delivery.reason || `${stateNames[delivery.state]}.` },
  ]
  const retryColumn: Column<Delivery> = {
    name: 'Retry',
    isAction: true,
    cell: ({ id, topic, state: current }) =>
      current === 'failed' && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`Retry: ${topicName(topic)}, number ${id}`}
          onClick={() => replay.mutate({ params: { id } })}
        >
          Retry
        </Button>
      ),
  }
  return (
    <section className={classes.updates}>
      <div className={classes.head}>
        <Title order={2}>Update log</Title>
        {state === 'failed' && <RetryAll isEnabled={failed !== undefined && failed.length > 0} />}
      </div>
      <StatusLinks>
        {states.map((option) => (
          <StatusLink
            key={option}
            to="/sync"
            search={option === 'failed' ? {} : { state: option }}
            isChosen={option === state}
            resetScroll={false}
          >
            {stateNames[option]}
          </StatusLink>
        ))}
      </StatusLinks>
      <DataList
        label={`Updates: ${stateNames[state]}`}
        query={query}
        columns={state === 'failed' ? [...columns, retryColumn] : columns}
        keyOf={({ id }) => id}
        empty={
          state === 'failed'
            ? {
                title: 'No failed updates',
                text: 'Updates that fail are listed here, and you can retry them.',
              }
            : { title: 'No updates', text: 'Updates are kept for 30 days.' }
        }
      />
    </section>
  )
}

function RetryAll({ isEnabled }: { isEnabled: boolean }) {
  const { many } = useFormat()
  const [isConfirming, setConfirming] = useState(false)
  const replay = useChange('POST /sync/deliveries/replay-failed', {
    onDone: ({ replayed }) => {
      setConfirming(false)
      notifyDone(`Retrying ${many(replayed, 'update')}`)
    },
  })
  return (
    <>
      <Button variant="default" disabled={!isEnabled} onClick={() => setConfirming(true)}>
        Retry all
      </Button>
      <Confirm
        isOpen={isConfirming}
        title="Retry all failed updates?"
        confirm="Retry all"
        isBusy={replay.isPending}
        error={replay.error}
        onConfirm={() => replay.mutate({})}
        onCancel={() => setConfirming(false)}
      >
        Outdated updates change nothing, and no update is applied twice.
      </Confirm>
    </>
  )
}
