import type { Db } from '../../../../db/db.ts'
import type {
  BudgetPlan,
  BudgetPlanFilter,
  BudgetRow,
  BuyingBudget,
} from '../../../../schemas/buying-budgets.ts'
import {
  type PricedPlan,
  planSupplier,
  planVariants,
  pricedPlans,
} from '../../../planning/replenishment/replenishment.ts'
import { listExchangeRates } from '../../../records/exchange-rates/exchange-rates.ts'
import { readBestVariants } from './best-variants.ts'
import { getBuyingBudget } from './buying-budgets.ts'
import { type BudgetLine, roundingOf, spendBudget } from './spend-budget.ts'

/** Bounds the time of a request and the size of its answer. */
const maxVariants = 5_000
const maxRows = 1_000

/**
 * What to order with the rest of a budget: the suggestions of replenishment, those first that win the highest margin by
 * money spent with tax, until the budget is used up with packs and minimum quantities respected; then the rest, with the reason.
 * The retail price is that of the variant, with or without taxes as the shop enters it. Throws not_found.
 */
export async function planBudget(
  db: Db,
  shopId: number,
  id: number,
  filter: BudgetPlanFilter,
): Promise<BudgetPlan> {
  const budget = await getBuyingBudget(db, shopId, id)
  const { planned, isComplete } = await planBest(db, shopId, budget.supplierId, filter)
  const priced = await pricedPlans(db, shopId, planned)
  const rates = new Map((await listExchangeRates(db, shopId)).map(({ currency, rate }) => [currency, rate]))
  rates.set(budget.currency, 1)
  const all = rowsOf(priced, budget, rates)
  // what is planned is what the answer lists
  const rows = all.slice(0, maxRows)
  const spent = rows.reduce(
    (sum, { budgetQuantity, cost }) => sum + (budgetQuantity > 0 ? (cost ?? 0) : 0),
    0,
  )
  const rounded = roundingOf(budget.currency)
  return {
    budget,
    planned: rounded(spent),
    left: rounded(budget.remaining - spent),
    isComplete: isComplete && all.length <= maxRows,
    rows,
  }
}

/** The suggestions of the products that count most, at most 5 000: of a supplier those that run out first. */
async function planBest(db: Db, shopId: number, supplierId: number | null, filter: BudgetPlanFilter) {
  if (supplierId !== null) {
    return planSupplier(db, shopId, { supplierId, variantIds: [], limit: maxVariants }, filter)
  }
  const { variantIds, isComplete } = await readBestVariants(db, shopId, maxVariants)
  return { planned: await planVariants(db, shopId, variantIds, { ...filter, locationRow: null }), isComplete }
}

function rowsOf(
  priced: readonly PricedPlan[],
  budget: BuyingBudget,
  rates: ReadonlyMap<string, number>,
): BudgetRow[] {
  const all = priced.map((each) => ({ ...each, outside: outsideOf(each, rates) }))
  const byId = new Map(all.map((each) => [each.planned.candidate.id, each]))
  const lines = all.flatMap((each) => (each.outside === null ? [lineOf(each, rates)] : []))
  const inside = spendBudget(lines, {
    budget: Math.max(0, budget.remaining),
    currency: budget.currency,
  }).flatMap(({ id, ...spent }) => {
    const row = byId.get(id)?.row
    return row ? [{ ...row, ...spent }] : []
  })
  const outside = all.flatMap(({ row, outside: overBudgetReason }) =>
    overBudgetReason === null
      ? []
      : [{ ...row, budgetQuantity: 0, cost: null, margin: null, marginPerCost: null, overBudgetReason }],
  )
  const isPaid = ({ budgetQuantity }: BudgetRow) => budgetQuantity > 0
  return [...inside.filter(isPaid), ...inside.filter((row) => !isPaid(row)), ...outside]
}

/** Why a budget cannot pay a suggestion at all; null: it can. */
function outsideOf(
  { row, planned: { candidate } }: PricedPlan,
  rates: ReadonlyMap<string, number>,
): BudgetRow['overBudgetReason'] {
  if (candidate.supplierId === null) return 'no_supplier'
  if (row.inDraft > 0) return 'in_draft'
  if (row.unitCost === null) return 'no_cost'
  return rates.has(candidate.currency) ? null : 'no_rate'
}

function lineOf({ planned, row }: PricedPlan, rates: ReadonlyMap<string, number>): BudgetLine {
  const { candidate, plan } = planned
  return {
    ...candidate,
    ...plan,
    supplierId: candidate.supplierId ?? 0,
    unitCost: row.unitCost ?? 0,
    breaks: row.breaks,
    rate: rates.get(candidate.currency) ?? 1,
  }
}
