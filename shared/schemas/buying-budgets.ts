import { Kind, type Static, Type } from '@sinclair/typebox'
import {
  CalendarDay,
  CalendarMonth,
  choices,
  Day,
  Id,
  Nullable,
  pageFields,
  Strict,
  Text,
  Timestamp,
  Version,
} from './common.ts'
import { planFields, ReplenishmentRow } from './replenishment.ts'

const Amount = Type.Unsafe<number>({
  [Kind]: 'Decimal',
  type: 'number',
  decimals: 3,
  minimum: 0.01,
  maximum: 1_000_000_000,
  rule: 'must be a number from 0.01 to 1 000 000 000 with at most 3 decimals',
})

const budgetFields = {
  name: Text(80, 1),
  supplierId: Type.Optional(Nullable(Id)),
  // null comes first, so that an example of a body has dates
  month: Type.Optional(Type.Union([Type.Null(), CalendarMonth], { rule: CalendarMonth.rule })),
  startsOn: Type.Optional(CalendarDay),
  endsOn: Type.Optional(CalendarDay),
  amount: Amount,
}

/** What may be spent on orders in a month, or from `startsOn` to `endsOn`; at all suppliers, or at one. */
export const BuyingBudgetInput = Strict(budgetFields)
export type BuyingBudgetInput = Static<typeof BuyingBudgetInput>

/** With `version`, the update fails with `stale_version` when another request has changed the budget since. */
export const BuyingBudgetPatch = Strict({
  ...Type.Partial(Type.Object(budgetFields)).properties,
  version: Type.Optional(Version),
})
export type BuyingBudgetPatch = Static<typeof BuyingBudgetPatch>

export const BuyingBudgetFilter = Strict(pageFields)
export type BuyingBudgetFilter = Static<typeof BuyingBudgetFilter>

export const BuyingBudget = Type.Object({
  id: Id,
  name: Type.String(),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  month: Nullable(Type.String({ description: 'Where the period is one whole month, as in 2026-03' })),
  startsOn: Day,
  endsOn: Day,
  amount: Type.Number(),
  currency: Type.String({ description: 'Of the shop; ISO 4217' }),
  spent: Type.Number({
    description: 'As procurement spend counts the period, but without the ordered pieces that will not come',
  }),
  drafted: Type.Number({ description: 'Totals of drafts, while today is in the period' }),
  remaining: Type.Number({ description: '`amount` - `spent` - `drafted`; below 0: exceeded' }),
  unknownOrders: Type.Integer({
    description:
      'Orders, receipts and credits whose rate or whole cost is not known; the sums leave that out',
  }),
  version: Type.Integer(),
  createdBy: Type.String(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type BuyingBudget = Static<typeof BuyingBudget>

export const BudgetPlanFilter = Strict(planFields)
export type BudgetPlanFilter = Static<typeof BudgetPlanFilter>

/** Why a suggestion gets nothing, or less, of the budget. */
export const OverBudgetReason = choices(
  'budget',
  'supplier_minimum',
  'in_draft',
  'no_cost',
  'no_rate',
  'no_supplier',
)
export type OverBudgetReason = Static<typeof OverBudgetReason>

/** A row of replenishment with what the budget has for it. */
export const BudgetRow = Type.Object({
  ...ReplenishmentRow.properties,
  budgetQuantity: Type.Integer({ description: 'What the budget pays, at least the minimum; 0: over budget' }),
  cost: Nullable(
    Type.Number({
      description:
        "Of the budget's quantity, else of the suggested one, in its currency, with the supplier's tax",
    }),
  ),
  margin: Nullable(
    Type.Number({
      description: 'Won by the wanted pieces of the suggestion: price - cost without tax; null without both',
    }),
  ),
  marginPerCost: Nullable(Type.Number({ description: '`margin` by the cost of the suggestion' })),
  overBudgetReason: Nullable(OverBudgetReason),
})
export type BudgetRow = Static<typeof BudgetRow>

export const BudgetPlan = Type.Object({
  budget: BuyingBudget,
  planned: Type.Number({ description: 'Cost of all `budgetQuantity`, with tax' }),
  left: Type.Number({ description: 'What then remains of the budget' }),
  isComplete: Type.Boolean({ description: 'False: the shop has more products than one answer considers' }),
  rows: Type.Array(BudgetRow),
})
export type BudgetPlan = Static<typeof BudgetPlan>
