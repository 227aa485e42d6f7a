import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { DemandEventRecord } from '../../../../shared/schemas/demand-events.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { EventDialog } from './event-dialog.tsx'

/** What the merchant knows about demand: promotions, fairs, closed weeks, and growth. */
export function EventList() {
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /demand-events', { query: {} }))
  const [edited, setEdited] = useState<DemandEventRecord | 'new' | null>(null)
  const [removed, setRemoved] = useState<DemandEventRecord | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const remove = useChange('DELETE /demand-events/:id', {
    onDone: () => {
      setRemoved(null)
      notifyDone('Event deleted')
    },
  })
  const actions: Column<DemandEventRecord> = {
    name: 'Actions',
    isAction: true,
    cell: (event) => (
      <>
        <Button
          size="xs"
          variant="default"
          onClick={() => setEdited(event)}
          aria-label={`Edit ${event.name}`}
        >
          Edit
        </Button>{' '}
        <Button
          size="xs"
          variant="default"
          onClick={() => setRemoved(event)}
          aria-label={`Delete ${event.name}`}
        >
          Delete
        </Button>
      </>
    ),
  }
  const button = (
    <Button ref={add} leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      Add an event
    </Button>
  )
  return (
    <PageBody>
      <PageHeader title="Events" actions={button} />
      <DataList
        label="Events"
        query={query}
        columns={[...columnsOf(format), actions]}
        keyOf={({ id }) => id}
        empty={{
          title: 'No events yet',
          text: 'Tell the forecast what it cannot know: a promotion, a fair, closed weeks, or growth you expect.',
          action: button,
        }}
      />
      <EventDialog
        key={edited === 'new' || edited === null ? 'new' : `${edited.id} ${edited.version}`}
        edited={edited}
        onClose={() => setEdited(null)}
      />
      <Confirm
        isOpen={removed !== null}
        title="Delete this event?"
        confirm="Delete the event"
        dismiss="Keep the event"
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => removed && remove.mutate({ params: { id: removed.id } })}
        onCancel={() => setRemoved(null)}
        returnTo={add}
      >
        The forecasts of its products are computed again without it.
      </Confirm>
    </PageBody>
  )
}

function productsOf({ scope, scopeValue, variantTitle }: DemandEventRecord): string {
  if (scope === 'shop') return 'All products'
  if (scope === 'variant') return variantTitle ?? ''
  return `${scope === 'vendor' ? 'Vendor' : 'Type'}: ${scopeValue}`
}

const columnsOf = (format: ReturnType<typeof useFormat>): Column<DemandEventRecord>[] => [
  { name: 'Event', cell: ({ name }) => name },
  { name: 'Products', cell: productsOf },
  {
    name: 'Dates',
    cell: ({ startsOn, endsOn }) =>
      endsOn === null
        ? `From ${format.calendarDay(startsOn)}`
        : `${format.calendarDay(startsOn)} to ${format.calendarDay(endsOn)}`,
  },
  {
    name: 'Sales',
    cell: ({ factor, growthPercent }) =>
      factor === null ? `${format.change(growthPercent ?? 0)} %` : `${format.count(factor)} × usual`,
    isNumber: true,
  },
]
