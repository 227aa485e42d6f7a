import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CountPlan } from '../../../../../shared/schemas/count-plans.ts'
import { listQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { DataList } from '../../../components/tables/data-list.tsx'
import { RowLink } from '../../../components/tables/row-link.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { PlanDialog } from './plan-dialog.tsx'

/** The plans by which the worker starts counts at night. */
export function PlanList() {
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /count-plans', { query: {} }))
  const [edited, setEdited] = useState<CountPlan | 'new' | null>(null)
  const [removed, setRemoved] = useState<CountPlan | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const remove = useChange('DELETE /count-plans/:id', {
    onDone: () => {
      setRemoved(null)
      notifyDone('Count plan deleted')
    },
  })
  const actions: Column<CountPlan> = {
    name: 'Actions',
    isAction: true,
    cell: (plan) => (
      <>
        <Button
          size="xs"
          variant="default"
          onClick={() => setEdited(plan)}
          aria-label={`Edit ${nameOf(plan)}`}
        >
          Edit
        </Button>{' '}
        <Button
          size="xs"
          variant="default"
          onClick={() => setRemoved(plan)}
          aria-label={`Delete ${nameOf(plan)}`}
        >
          Delete
        </Button>
      </>
    ),
  }
  const button = (
    <Button ref={add} leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      Add a plan
    </Button>
  )
  return (
    <PageBody>
      <PageHeader title="Count plans" back={{ to: '/counts', name: 'Counts' }} actions={button} />
      <DataList
        label="Count plans"
        query={query}
        columns={[...columnsOf(format), actions]}
        keyOf={({ id }) => id}
        empty={{
          title: 'No count plans yet',
          text: 'A plan starts a count at night, every few days: your best sellers often, the rest seldom.',
          action: button,
        }}
      />
      <PlanDialog
        key={edited === 'new' || edited === null ? 'new' : edited.id}
        edited={edited}
        onClose={() => setEdited(null)}
      />
      <Confirm
        isOpen={removed !== null}
        title="Delete this count plan?"
        confirm="Delete the plan"
        dismiss="Keep the plan"
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => removed && remove.mutate({ params: { id: removed.id } })}
        onCancel={() => setRemoved(null)}
        returnTo={add}
      >
        The counts that it started stay. No more are started.
      </Confirm>
    </PageBody>
  )
}

const nameOf = ({ abcClass, locationName }: CountPlan) =>
  `${abcClass === null ? 'All products' : `Class ${abcClass}`} at ${locationName}`

const problems: Record<NonNullable<CountPlan['problem']>, string> = {
  nothing_to_count:
    'No product of this class is stocked there, so no count was started. It is tried again each night.',
  unknown_location: 'The location is no longer in use. Choose another one, or delete the plan.',
}

const columnsOf = (format: ReturnType<typeof useFormat>): Column<CountPlan>[] => [
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
