import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { CountPlan } from '../../../../../shared/schemas/count-plans.ts'
import { listQuery, useChange } from '../../../api/queries.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { EditableList } from '../../../components/tables/editable-list.tsx'
import { RowLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { PlanDialog } from './plan-dialog.tsx'

/** The plans by which the worker starts counts at night. */
export function PlanList() {
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /count-plans', { query: {} }))
  const remove = useChange('DELETE /count-plans/:id', { onDone: () => notifyDone('Count plan deleted') })
  return (
    <EditableList
      title="Count plans"
      back={{ to: '/counts', name: 'Counts' }}
      query={query}
      columns={columnsOf(format)}
      nameOf={nameOf}
      add="Create a count plan"
      empty={{
        title: 'No count plans yet',
        text: 'A plan starts a count at night, every few days: your best sellers often, the rest seldom.',
      }}
      dialog={(edited, onClose) => (
        <PlanDialog key={edited === 'new' || edited === null ? 'new' : edited.id} {...{ edited, onClose }} />
      )}
      removal={{
        ...{ title: 'Delete this count plan?', confirm: 'Delete the plan', dismiss: 'Keep the plan' },
        meaning: 'The counts that it started stay. No more are started.',
        ...{ isBusy: remove.isPending, error: remove.error },
        run: ({ id }, close) => remove.mutate({ params: { id } }, { onSuccess: close }),
      }}
    />
  )
}

const nameOf = ({ abcClass, locationName }: CountPlan) =>
  `${abcClass === null ? 'All products' : `Class ${abcClass}`} at ${locationName}`

const problems: Record<NonNullable<CountPlan['problem']>, string> = {
  nothing_to_count:
    'No product of this class is stocked there, so no count was started. It is tried again each night.',
  unknown_location: 'The location is no longer in use. Choose another one, or delete the plan.',
}

const columnsOf = (format: Format): Column<CountPlan>[] => [
  {
    name: 'Plan',
    cell: (plan) => (
      <>
        {nameOf(plan)}
        {plan.problem !== null && (
          <Text size="sm" c="var(--mantine-color-error)">
            {problems[plan.problem]}
          </Text>
        )}
      </>
    ),
  },
  { name: 'Every', cell: ({ everyDays }) => format.days(everyDays), isNumber: true },
  {
    name: 'Products',
    cell: ({ maxItems }) => (maxItems === null ? 'All' : `${format.count(maxItems)} counted longest ago`),
  },
  { name: 'Blind', cell: ({ blind }) => (blind ? 'Yes' : 'No') },
  {
    name: 'Next count',
    cell: ({ nextOn, openCountId }) =>
      openCountId === null ? (
        format.calendarDay(nextOn)
      ) : (
        <>
          After{' '}
          <RowLink to="/counts/$id" params={{ id: openCountId }}>
            #{openCountId}
          </RowLink>{' '}
          ends, from {format.calendarDay(nextOn)}
        </>
      ),
  },
]
