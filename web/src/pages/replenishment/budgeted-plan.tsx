import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { BudgetPlan, BudgetRow } from '../../../../shared/schemas/buying-budgets.ts'
import { readQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { Empty } from '../../components/tables/data-list.tsx'
import { periodText } from '../buying-budgets/budget-text.ts'
import { Plan, PlanLoading, type PlanRow } from './plan.tsx'
import type { PlanFilter } from './plan-filter.ts'
import { lineTotalOf, type PlanGroup } from './plan-groups.ts'

type Props = { budgetId: number; query: Omit<PlanFilter, 'budgetId' | 'supplierId' | 'locationId'> }

/** What to order with the rest of a budget: the products with the highest margin for their cost first, then the rest. */
export function BudgetedPlan({ budgetId, query }: Props) {
  const params = { id: budgetId }
  const { data, error, refetch } = useQuery(
    readQuery('GET /buying-budgets/:id/suggestions', { params, query }),
  )
  const format = useFormat(data?.budget.currency)
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  if (!data) return <PlanLoading />
  const { budget, rows, isComplete } = data
  const rates = new Map(rows.map((row) => [row.variantId, budgetRateOf(row)]))
  const noteOf = (chosen: readonly PlanRow[], quantityOf: (row: PlanRow) => number) => {
    const cost = chosen.reduce(
      (sum, row) => sum + (lineTotalOf(row, quantityOf(row)) ?? 0) * (rates.get(row.variantId) ?? 0),
      0,
    )
    const left = budget.remaining - cost
    const rest = left < 0 ? `${format.money(-left)} over budget` : `${format.money(left)} left`
    return `${format.money(cost)} with tax of ${format.money(budget.remaining)}, ${rest}`
  }
  return (
    <>
      <Text size="sm">
        {budget.name}, {periodText(budget, format)}
        {budget.supplierName !== null && `, ${budget.supplierName}`}. Budget {format.money(budget.amount)}:{' '}
        {format.money(budget.spent)} spent, {format.money(budget.drafted)} in drafts. The products with the
        highest margin for their cost come first.
        {!isComplete && ' The shop has more products than are shown: choose a budget of one supplier.'}
      </Text>
      {rows.length === 0 ? (
        <Empty
          title="Nothing to order"
          text="The stock covers the chosen days. Raise the days to order for longer."
          action={
            <LinkButton to="/buying-budgets" variant="default">
              Budgets
            </LinkButton>
          }
        />
      ) : (
        <Plan rows={rows} groups={groupsOf(data)} noteOf={noteOf} />
      )}
    </>
  )
}

/**
 * What the budget pays, with tax and in its currency, for one unit of the supplier's currency without tax.
 *
 * Example: 10 pieces at 4.00 EUR cost the budget 52.80 USD: 1.32. So 20 pieces at 3.50 EUR cost it 92.40 USD.
 */
function budgetRateOf(row: BudgetRow): number {
  const total = lineTotalOf(row, row.budgetQuantity || row.suggestedQuantity)
  return total ? (row.cost ?? 0) / total : 0
}

/** Drafts are made by supplier in any case. */
function groupsOf({ rows, budget: { currency } }: BudgetPlan): PlanGroup[] {
  const paid = rows.filter(({ budgetQuantity }) => budgetQuantity > 0)
  const unpaid = rows.filter(({ budgetQuantity }) => budgetQuantity === 0)
  const group = (title: string, of: readonly BudgetRow[]): PlanGroup[] =>
    of.length === 0 ? [] : [{ key: title, supplierId: null, title, currency, rows: of }]
  return [...group('Within the budget', paid), ...group('Over budget', unpaid)]
}
