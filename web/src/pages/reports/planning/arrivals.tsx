import { Button, Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import type { ExpectedArrival } from '../../../../../shared/schemas/planning.ts'
import { listQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Choices } from '../../../components/forms/choices.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { dayOf } from '../../../components/shop/shop-days.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList, Empty } from '../../../components/tables/data-list.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { readCalendar } from '../filter.ts'
import { useReportAddress } from '../report-address.ts'
import { ReportPage } from '../report-page.tsx'
import classes from './arrivals.module.css'
import { type CalendarView, daysOf, turned } from './calendar-days.ts'

const route = getRouteApi('/reports/arrivals')
const limit = 250

const Name = ({ arrival: { kind, id, name } }: { arrival: ExpectedArrival }) =>
  kind === 'order' ? (
    <TextLink to="/purchase-orders/$id" params={{ id }} inherit>
      {name}
    </TextLink>
  ) : (
    <TextLink to="/transfers/$id" params={{ id }} inherit>
      {name}
    </TextLink>
  )

const columnsOf = (format: Format): Column<ExpectedArrival>[] => [
  { name: 'Document', cell: (arrival) => <Name arrival={arrival} /> },
  { name: 'From', cell: ({ fromName }) => fromName },
  { name: 'To', cell: ({ toName }) => toName ?? '—' },
  {
    name: 'Promised',
    cell: ({ promisedOn }) => (promisedOn === null ? 'No date' : format.calendarDay(promisedOn)),
  },
  { name: 'Pieces', cell: ({ pieces }) => format.count(pieces), isNumber: true },
  {
    name: 'Value',
    cell: ({ value, unknownCosts, currency }) => (
      <>
        {value === null || currency === null ? '—' : format.moneyIn(value, currency)}
        {unknownCosts > 0 && <Text size="xs">{`+ ${format.many(unknownCosts, 'line')} without cost`}</Text>}
      </>
    ),
    isNumber: true,
  },
]

/** Orders and transfers by the day on which they are expected. */
export function ArrivalReport() {
  const {
    filter: { view = 'week', day: chosenDay },
    setFilter,
  } = useReportAddress(route, readCalendar)
  const format = useFormat()
  const today = dayOf(new Date().toISOString(), useSettings().timeZone)
  const day = chosenDay ?? today
  const days = daysOf(view, day)
  const span = { from: days[0] ?? day, to: days.at(-1) ?? day }
  const query = useInfiniteQuery(listQuery('GET /reports/arrivals', { query: { ...span, limit } }))
  const overdue = useInfiniteQuery(listQuery('GET /reports/arrivals', { query: { overdue: true } }))
  const undated = useInfiniteQuery(listQuery('GET /reports/arrivals', { query: { dated: false } }))
  // together with the rows of the overdue ones, which would push the calendar away
  const isOverdueShown = useDeferredValue(!overdue.isPending, false)
  const turn = (direction: -1 | 1) => setFilter({ day: turned(view, day, direction) })
  const views: { name: string; value: CalendarView }[] = [
    { name: 'Week', value: 'week' },
    { name: 'Month', value: 'month' },
  ]
  const title = view === 'month' ? format.month(day.slice(0, 7)) : weekTitle(days, format)
  const isAny = (list: typeof query) => (list.data?.pages[0]?.records.length ?? 0) > 0
  return (
    <ReportPage
      title="Arrivals"
      meaning={
        <p>
          Sent orders and transfers under way, on the day on which they are expected. The promised day of an
          order is moved by the delay of its supplier’s last orders; what is overdue is expected tomorrow.
        </p>
      }
      actions={<CsvButton path="/reports/arrivals" name="arrivals" />}
      filters={
        <>
          <Choices
            label="View"
            options={views}
            value={view}
            onChange={(chosen) => setFilter({ view: chosen === 'month' ? chosen : undefined })}
          />
          <div className={classes.turn}>
            <Button variant="default" aria-label={`Previous ${view}`} onClick={() => turn(-1)}>
              Previous
            </Button>
            <Button variant="default" onClick={() => setFilter({ day: undefined })}>
              Today
            </Button>
            <Button variant="default" aria-label={`Next ${view}`} onClick={() => turn(1)}>
              Next
            </Button>
          </div>
        </>
      }
      isStale={query.isPlaceholderData}
    >
      {isAny(overdue) && (
        <DataList
          title="Overdue"
          label="Overdue arrivals"
          query={overdue}
          columns={columnsOf(format)}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          empty={{ title: '', text: '' }}
        />
      )}
      {query.error && !query.data && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {/* the rows are still those of another week or month */}
      {query.isPlaceholderData && (
        <Card title={title}>
          <Skeleton height={160} />
        </Card>
      )}
      {query.data && !query.isPlaceholderData && isOverdueShown && (
        <Calendar
          title={title}
          {...{ view, day, days, today }}
          arrivals={query.data.pages.flatMap(({ records }) => records)}
        />
      )}
      {query.hasNextPage && !query.isPlaceholderData && (
        <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage()}>
          Load more
        </Button>
      )}
      {isAny(undated) && (
        <DataList
          title="Without a date"
          label="Arrivals without a date"
          query={undated}
          columns={columnsOf(format)}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          empty={{ title: '', text: '' }}
        />
      )}
    </ReportPage>
  )
}

const weekTitle = (days: readonly string[], format: Format) =>
  `${format.calendarDay(days[0] ?? '')} to ${format.calendarDay(days.at(-1) ?? '')}`

type CalendarProps = {
  title: string
  view: CalendarView
  day: string
  days: readonly string[]
  today: string
  arrivals: readonly ExpectedArrival[]
}

/** Seven columns; on narrow screens a list of the days with arrivals. */
function Calendar({ title, view, day, days, today, arrivals }: CalendarProps) {
  const format = useFormat()
  const byDay = Map.groupBy(arrivals, ({ expectedOn }) => expectedOn)
  if (arrivals.length === 0) {
    return (
      <Empty
        heading={title}
        title={`Nothing arrives in this ${view}`}
        text="Sent orders and shipped transfers show here until their goods arrive."
      />
    )
  }
  return (
    <Card title={title} isFlush>
      <ol className={classes.calendar} aria-label="Arrivals by day">
        {days.map((each) => {
          const ofDay = byDay.get(each) ?? []
          return (
            <li
              key={each}
              className={classes.day}
              data-empty={ofDay.length === 0 || undefined}
              data-today={each === today || undefined}
              data-other={(view === 'month' && each.slice(0, 7) !== day.slice(0, 7)) || undefined}
            >
              <h3>{format.weekday(each)}</h3>
              <ul>
                {ofDay.map((arrival) => (
                  <li key={`${arrival.kind} ${arrival.id}`} className={classes.entry}>
                    <Name arrival={arrival} /> {arrival.isOverdue && <Badge look={['Overdue', 'bad']} />}
                    <Text size="xs" c="dimmed">
                      {arrival.fromName}
                      {arrival.kind === 'transfer' && ` to ${arrival.toName}`},{' '}
                      {format.many(arrival.pieces, 'piece')}
                      {arrival.lateDays !== 0 && !arrival.isOverdue && arrival.promisedOn !== null && (
                        <>, promised for {format.calendarDay(arrival.promisedOn)}</>
                      )}
                    </Text>
                  </li>
                ))}
              </ul>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
