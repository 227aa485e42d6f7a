import { useInfiniteQuery } from '@tanstack/react-query'
import type { DemandEventRecord } from '../../../../shared/schemas/demand-events.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { notifyDone } from '../../components/feedback/notify.ts'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { EditableList } from '../../components/tables/editable-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { EventDialog } from './event-dialog.tsx'
import { datesText, productsOf, salesText } from './event-text.ts'

/** What the merchant knows about demand: promotions, fairs, closed weeks, and growth. */
export function EventList() {
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /demand-events', { query: {} }))
  const remove = useChange('DELETE /demand-events/:id', { onDone: () => notifyDone('Event deleted') })
  return (
    <EditableList
      title="Events"
      back={{ to: '/replenishment', name: 'Replenishment' }}
      query={query}
      columns={columnsOf(format)}
      nameOf={({ name }) => name}
      add="Create an event"
      empty={{
        title: 'No events yet',
        text: 'Enter what the forecast cannot know: a promotion, a fair, closed weeks, or growth you expect.',
      }}
      dialog={(edited, onClose) => (
        <EventDialog
          key={edited === 'new' || edited === null ? 'new' : `${edited.id} ${edited.version}`}
          {...{ edited, onClose }}
        />
      )}
      removal={{
        ...{ title: 'Delete this event?', confirm: 'Delete the event', dismiss: 'Keep the event' },
        meaning: 'The forecasts of its products are computed again without it.',
        ...{ isBusy: remove.isPending, error: remove.error },
        run: ({ id }, close) => remove.mutate({ params: { id } }, { onSuccess: close }),
      }}
    />
  )
}

const columnsOf = (format: Format): Column<DemandEventRecord>[] => [
  { name: 'Event', cell: ({ name }) => name },
  { name: 'Products', cell: productsOf },
  { name: 'Dates', cell: (event) => datesText(event, format) },
  { name: 'Sales', cell: (event) => salesText(event, format), isNumber: true },
]
