import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BuyingBudget } from '../../../../shared/schemas/buying-budgets.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { TextLink } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { periodText } from './budget-text.ts'

/** What may be spent on orders in a period, and what is left of it. */
export function BudgetList() {
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /buying-budgets', { query: {} }))
  const [edited, setEdited] = useState<BuyingBudget | 'new' | null>(null)
  const [removed, setRemoved] = useState<BuyingBudget | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const remove = useChange('DELETE /buying-budgets/:id', {
    onDone: () => {
      setRemoved(null)
      notifyDone('Budget deleted')
    },
  })
  const button = (
    <Button ref={add} leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      Add a budget
    </Button>
  )
  const actions: Column<BuyingBudget> = {
    name: 'Actions',
    isAction: true,
    cell: (budget) => (
      <>
        <Button
          size="xs"
          variant="default"
          onClick={() => setEdited(budget)}
          aria-label={`Edit ${budget.name}`}
        >
          Edit
        </Button>{' '}
        <Button
          size="xs"
          variant="default"
          onClick={() => setRemoved(budget)}
          aria-label={`Delete ${budget.name}`}
        >
          Delete
        </Button>
      </>
    ),
  }
  return (
    <PageBody>
      <PageHeader title="Budgets" back={{ to: '/replenishment', name: 'Replenishment' }} actions={button} />
      <DataList
        label="Budgets"
        query={query}
        columns={[...columnsOf(format), actions]}
        keyOf={({ id }) => id}
        empty={{
          title: 'No budgets yet',
          text: 'Say what you may spend in a month, at all suppliers or at one. Replenishment then puts the products with the highest margin for their cost first.',
          action: button,
        }}
      />
      <BudgetDialog
        key={edited === 'new' || edited === null ? 'new' : `${edited.id} ${edited.version}`}
        edited={edited}
        onClose={() => setEdited(null)}
      />
      <Confirm
        isOpen={removed !== null}
        title="Delete this budget?"
        confirm="Delete the budget"
        dismiss="Keep the budget"
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => removed && remove.mutate({ params: { id: removed.id } })}
        onCancel={() => setRemoved(null)}
        returnTo={add}
      >
        Orders stay as they are.
      </Confirm>
    </PageBody>
  )
}

const columnsOf = (format: ReturnType<typeof useFormat>): Column<BuyingBudget>[] => [
  {
    name: 'Budget',
    cell: ({ id, name }) => (
      <TextLink to="/replenishment" search={{ budgetId: id }}>
        {name}
      </TextLink>
    ),
  },
  { name: 'Period', cell: (budget) => periodText(budget, format) },
  { name: 'Supplier', cell: ({ supplierName }) => supplierName ?? 'All suppliers' },
  { name: 'Amount', cell: ({ amount }) => format.money(amount), isNumber: true },
  { name: 'Spent', cell: ({ spent }) => format.money(spent), isNumber: true },
  { name: 'In drafts', cell: ({ drafted }) => format.money(drafted), isNumber: true },
  {
    name: 'Left',
    cell: ({ remaining, unknownOrders }) => (
      <div>
        {remaining < 0 ? (
          <Badge look={[`${format.money(-remaining)} over`, 'bad']} />
        ) : (
          format.money(remaining)
        )}
        {unknownOrders > 0 && (
          <div>
            <Badge look={[`${format.count(unknownOrders)} without rate or cost`, 'waiting']} />
          </div>
        )}
      </div>
    ),
    isNumber: true,
  },
]
