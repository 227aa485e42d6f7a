import { useInfiniteQuery } from '@tanstack/react-query'
import type { BuyingBudget } from '../../../../shared/schemas/buying-budgets.ts'
import { listQuery, useChange } from '../../api/queries.ts'
import { notifyDone } from '../../components/feedback/notify.ts'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { EditableList } from '../../components/tables/editable-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { Badge } from '../../components/tables/status-badge.tsx'
import { BudgetDialog } from './budget-dialog.tsx'
import { periodText } from './budget-text.ts'

/** What may be spent on orders in a period, and what is left of it. */
export function BudgetList() {
  const format = useFormat()
  const query = useInfiniteQuery(listQuery('GET /buying-budgets', { query: {} }))
  const remove = useChange('DELETE /buying-budgets/:id', { onDone: () => notifyDone('Budget deleted') })
  return (
    <EditableList
      title="Budgets"
      back={{ to: '/replenishment', name: 'Replenishment' }}
      query={query}
      columns={columnsOf(format)}
      nameOf={({ name }) => name}
      empty={{
        title: 'No budgets yet',
        text: 'Say what you may spend in a month, at all suppliers or at one. Replenishment then puts the products with the highest margin for their cost first.',
      }}
      add="Create a budget"
      dialog={(edited, close) => (
        <BudgetDialog
          key={edited === 'new' || edited === null ? 'new' : `${edited.id} ${edited.version}`}
          edited={edited}
          onClose={close}
        />
      )}
      removal={{
        title: 'Delete this budget?',
        confirm: 'Delete the budget',
        dismiss: 'Keep the budget',
        meaning: 'Orders stay as they are.',
        isBusy: remove.isPending,
        error: remove.error,
        run: ({ id }, close) => remove.mutate({ params: { id } }, { onSuccess: close }),
      }}
    />
  )
}

const columnsOf = (format: Format): Column<BuyingBudget>[] => [
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
