import { type Static, Type } from '@sinclair/typebox'
import {
  choices,
  Gid,
  Id,
  ListOf,
  LongText,
  Nullable,
  Quantity,
  Strict,
  sortedFields,
  sortsBy,
  Timestamp,
  Whole,
} from './common.ts'
import { ImportFault } from './import-fault.ts'
import { productSearch } from './products.ts'

/** Mode `auto` computes point and quantity from the sales; in mode `manual` the merchant sets them. */
export const ReorderMode = choices('manual', 'auto')
export type ReorderMode = Static<typeof ReorderMode>

const serviceLevelRule = 'must be a whole percentage from 90 to 99, or null for that of the ABC class'
const maxLevelRule = 'must be a whole number from 1 to 1 000 000 000, or null for no maximum'

/** The fields of a rule that a file may have, beside names. */
export const reorderFields = {
  reorderPoint: Whole(0, 1_000_000_000),
  reorderQuantity: Quantity,
  mode: ReorderMode,
  serviceLevel: Type.Union(
    [Type.Integer({ minimum: 90, maximum: 99, rule: serviceLevelRule }), Type.Null()],
    {
      rule: serviceLevelRule,
      description: 'In percent; null: 98 for class A, 95 for B and without a class, 90 for C',
    },
  ),
  reviewDays: Type.Integer({ minimum: 1, maximum: 90, rule: 'must be a whole number of days from 1 to 90' }),
  maxLevel: Type.Union(
    // null comes first: an example of a patch would be below the point of a rule
    [Type.Null(), Type.Integer({ minimum: 1, maximum: 1_000_000_000, rule: maxLevelRule })],
    { rule: maxLevelRule, description: 'An order fills the stock up to this level' },
  ),
}

const namedFields = {
  ...reorderFields,
  supplierId: Nullable(Id),
  locationId: Nullable(Gid('Location')),
}

/** A rule without a location covers the total stock of all locations. Only mode `auto` may omit point and quantity. */
export const ReorderRuleInput = Strict({
  variantId: Gid('ProductVariant'),
  ...Type.Partial(Type.Object(namedFields)).properties,
})
export type ReorderRuleInput = Static<typeof ReorderRuleInput>

export const ReorderRulePatch = Type.Partial(ReorderRuleInput)
export type ReorderRulePatch = Static<typeof ReorderRulePatch>

export const ReorderRulesInput = Strict({
  rules: ListOf(ReorderRuleInput, 1, 1000, 'rules'),
})
export type ReorderRulesInput = Static<typeof ReorderRulesInput>

export const SavedReorderRules = Type.Object({ created: Type.Integer(), updated: Type.Integer() })
export type SavedReorderRules = Static<typeof SavedReorderRules>

export const ReorderRuleSort = sortsBy('title', 'sku')
export type ReorderRuleSort = Static<typeof ReorderRuleSort>

export const ReorderRuleFilter = Strict({
  supplierId: Type.Optional(Id),
  variantId: Type.Optional(Gid('ProductVariant')),
  ...productSearch,
  ...sortedFields(ReorderRuleSort),
})
export type ReorderRuleFilter = Static<typeof ReorderRuleFilter>

/**
 * The input of `reorderPointOf` in `shared/domain/planning/supply/reorder-point.ts`, shown so that the result can be checked.
 * With `method`, the numbers are those of `forecastPointOf` in `forecast-point.ts` there.
 */
export const ReorderInputs = Type.Object({
  method: Type.Optional(
    Type.String({
      description: 'The model of the forecast; absent: no forecast was usable, the sales of 90 days count',
    }),
  ),
  wape: Type.Optional(
    Nullable(Type.Number({ description: 'Mean error of the forecast, as a share of the demand' })),
  ),
  forecastUnits: Type.Optional(Type.Number({ description: 'Forecast over the lead time' })),
  orderUpTo: Type.Optional(
    Type.Number({ description: 'Forecast over the lead time and the cover, and the safety stock' }),
  ),
  coverDays: Type.Optional(
    Type.Integer({
      description: "How long an order lasts: the review days, or the supplier's order cycle if longer",
    }),
  ),
  avgDailySales: Type.Number({ description: 'Mean pieces sold on a counted day, or expected on a day' }),
  dailyDeviation: Type.Number({
    description: 'Sample standard deviation of the daily sales, or error of the forecast',
  }),
  unitsSold: Type.Integer(),
  countedDays: Type.Integer({ description: 'Number of the last 90 days that the mean includes' }),
  inStockDays: Type.Integer({ description: 'Number of the last 90 days with stock' }),
  periodDays: Type.Optional(
    Type.Integer({
      description:
        'Number of the last 90 days whose sales are known; absent in results of an earlier release',
    }),
  ),
  confidence: choices('normal', 'low'),
  leadTimeDays: Type.Number(),
  leadTimeDeviation: Type.Number(),
  leadTimeSource: choices('measured', 'supplier', 'assumed'),
  measuredOrders: Type.Integer({
    description: "The supplier's received orders that were measured, at most the last ten",
  }),
  serviceLevel: Type.Integer({ description: 'The one that was chosen, or that of the ABC class' }),
  z: Type.Number({ description: 'Normal quantile of the service level' }),
  reviewDays: reorderFields.reviewDays,
  safetyStock: Type.Number({ description: 'Part of the reorder point that covers above-average sales' }),
})
export type ReorderInputs = Static<typeof ReorderInputs>

export const ReorderRule = Type.Object({
  id: Id,
  productId: Type.String(),
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  reorderPoint: Type.Integer(),
  reorderQuantity: Type.Integer(),
  supplierId: Nullable(Id),
  supplierName: Nullable(Type.String()),
  locationId: Nullable(Type.String({ description: 'Null: the total of all locations' })),
  locationName: Nullable(Type.String()),
  mode: ReorderMode,
  serviceLevel: Nullable(Type.Integer({ description: 'Null: that of the ABC class' })),
  abcClass: Nullable(Type.String({ description: 'Of the product; null: not known yet' })),
  classServiceLevel: Type.Integer({ description: 'In percent, of the ABC class' }),
  reviewDays: Type.Integer(),
  maxLevel: Nullable(Type.Integer({ description: 'An order fills the stock up to this level' })),
  currentStock: Type.Integer(),
  inputs: Nullable(ReorderInputs),
  computedAt: Nullable(Timestamp),
  isComputing: Type.Boolean({
    description:
      'Saved less than 2 minutes ago, and the worker has not computed the numbers yet. An older rule without numbers needs 7 days of known sales',
  }),
})
export type ReorderRule = Static<typeof ReorderRule>

export const CreatedReorderRule = Type.Pick(ReorderRule, [
  'id',
  'variantId',
  'reorderPoint',
  'reorderQuantity',
  'supplierId',
])
export type CreatedReorderRule = Static<typeof CreatedReorderRule>

export const ReorderRulesDeletion = Strict({
  ids: ListOf(Id, 1, 1000, 'ids of rules'),
})
export type ReorderRulesDeletion = Static<typeof ReorderRulesDeletion>

export const DeletedReorderRules = Type.Object({ deleted: Type.Integer() })
export type DeletedReorderRules = Static<typeof DeletedReorderRules>

export const ReorderImport = Strict({
  csv: LongText(900_000),
  dryRun: Type.Boolean({ description: 'Validates the file and reports the result without saving' }),
})
export type ReorderImport = Static<typeof ReorderImport>

export const ImportedReorderRules = Type.Object({
  rows: Type.Integer(),
  ...SavedReorderRules.properties,
  faults: Type.Array(ImportFault),
})
export type ImportedReorderRules = Static<typeof ImportedReorderRules>
