import { type Static, Type } from '@sinclair/typebox'
import {
  Amount,
  choices,
  Gid,
  Id,
  idsField,
  ListOf,
  LongText,
  Money,
  Nullable,
  Strict,
  sortedFields,
  sortsBy,
  Text,
  Timestamp,
} from './common.ts'
import { AbcClass } from './reports.ts'

export const StockCountStatus = choices('draft', 'submitted', 'cancelled')
export type StockCountStatus = Static<typeof StockCountStatus>

/** `counting` and `recounting` take numbers, `review` does not; the others are the statuses. */
export const StockCountPhase = choices('counting', 'review', 'recounting', 'submitted', 'cancelled')
export type StockCountPhase = Static<typeof StockCountPhase>

/** The counted quantity of a variant. 0 is a count; null means not counted yet. */
export const StockCountItemInput = Strict({
  variantId: Gid('ProductVariant'),
  countedQuantity: Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      rule: 'must be a whole number from 0 to 1 000 000 000, or null',
    }),
  ),
  countedAt: Type.Optional(
    Nullable(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'Time of the count, when it was made offline and sent later; null means now',
      }),
    ),
  ),
})
export type StockCountItemInput = Static<typeof StockCountItemInput>

const countFields = {
  items: ListOf(StockCountItemInput, 0, 5000, 'items'),
  notes: Type.Optional(Nullable(LongText(5000))),
  device: Type.Optional({
    ...Text(64),
    description:
      'Which device of the caller counts. With it, numbers are what this person counted with it and add up with those of others; without it, each number is the total of its product and replaces them',
  }),
}

/** The products of a location that match every given field; without a field all that are stocked there. */
export const CountSheet = Strict(
  {
    vendor: Type.Optional(Text(255, 1)),
    productType: Type.Optional(Text(255, 1)),
    abcClass: Type.Optional(AbcClass),
    bin: Type.Optional({
      ...Text(40, 1),
      description: 'A bin of the location; with * at the end, every bin that begins with the text before it',
    }),
    changedSince: Type.Optional(
      Type.Union([Type.Literal('last_count'), Type.String({ format: 'day-or-instant' })], {
        rule: 'must be last_count, or a date or a date and time, as in 2026-03-01',
      }),
    ),
  },
  { rule: 'must be a filter of products, or null' },
)
export type CountSheet = Static<typeof CountSheet>

export const StockCountInput = Strict({
  locationId: Gid('Location'),
  ...countFields,
  items: Type.Optional(countFields.items),
  filter: Type.Optional(Nullable(CountSheet)),
  blind: Type.Optional(
    Type.Boolean({ description: 'Hides expected quantities and variances until the counting is finished' }),
  ),
})
export type StockCountInput = Static<typeof StockCountInput>

/** `items` holds the new and changed items. Items that it omits do not change. */
export const StockCountPatch = Type.Partial(
  Strict({
    status: StockCountStatus,
    ...countFields,
    round: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      rule: 'must be a whole number from 1 to 1 000 000',
      description:
        'The round in which `items` were counted: 1, and one more with each recount. Numbers of another round than the running one are refused',
    }),
    reason: Nullable(Text(200)),
    acceptStale: Type.Boolean({
      description:
        'Submits numbers that could not be compared with the platform for two minutes; `staleItemCount` counts them',
    }),
    variancesVersion: Nullable({
      ...Text(100),
      description:
        'Of the submit, which fails with `stale_version` when a variance has changed since, also by `items`',
    }),
  }),
)
export type StockCountPatch = Static<typeof StockCountPatch>

/** A product is recounted when its variance is above one of the given limits. */
export const RecountInput = Strict({
  varianceValueAbove: Type.Optional(Money(3)),
  variancePercentAbove: Type.Optional(
    Type.Unsafe<number>({
      ...Money(2),
      maximum: 1_000_000,
      rule: 'must be a percentage from 0 to 1 000 000 with at most 2 decimals',
    }),
  ),
})
export type RecountInput = Static<typeof RecountInput>

/**
 * By number, by the name of the location, or by status in the order of `StockCountStatus`; a minus sorts in descending order. Within a
 * location or status, the newest comes first.
 */
export const StockCountSort = sortsBy('location', 'status')
export type StockCountSort = Static<typeof StockCountSort>

/** With `variancesVersion`, the approval fails with `stale_version` when a variance has changed since. */
export const CountApproval = Nullable(
  Strict({ variancesVersion: Type.Optional(Text(100)) }, { rule: 'must be an object' }),
)
export type CountApproval = Static<typeof CountApproval>

export const StockCountFilter = Strict({
  status: Type.Optional(StockCountStatus),
  locationId: Type.Optional(Gid('Location')),
  ...idsField('counts'),
  search: Type.Optional(Text(200)),
  ...sortedFields(StockCountSort),
})
export type StockCountFilter = Static<typeof StockCountFilter>

export const StockCountSelection = Strict({
  ids: ListOf(Id, 1, 20, 'ids of counts'),
})
export type StockCountSelection = Static<typeof StockCountSelection>

export const CancelledStockCounts = Type.Object({ cancelled: Type.Integer() })
export type CancelledStockCounts = Static<typeof CancelledStockCounts>

const CountEntry = Type.Object({
  round: Type.Integer({ description: '1, and one more with each recount' }),
  person: Type.String(),
  device: Type.String(),
  countedQuantity: Type.Integer(),
  countedAt: Timestamp,
  isOwn: Type.Boolean({ description: 'Of the person who reads it' }),
})

export const StockCountItem = Type.Object({
  variantId: Type.String(),
  sku: Type.String(),
  title: Type.String({ description: 'The product, and the variant where there are several' }),
  barcode: Type.String(),
  bin: Type.String({ description: 'Where it lies at the location; empty: no bin' }),
  countedQuantity: Nullable(Type.Integer({ description: 'The sum of the counters of the last round' })),
  expectedQuantity: Nullable(
    Type.Integer({
      description:
        'On hand at the time of the count; an estimate while `readAt` is null. Without a number: on hand now. Null while a blind count hides it',
    }),
  ),
  countedAt: Nullable(Timestamp),
  readAt: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'When the platform was asked for the expected quantity, after the number was stored',
    }),
  ),
  variance: Nullable(
    Type.Integer({ description: 'Counted minus expected; of a draft, null until it is read' }),
  ),
  unitCost: Nullable(Type.Number({ description: 'Average cost of a piece; null when it is not known' })),
  varianceValue: Nullable(
    Type.Number({ description: 'The variance in money; null when the cost is not known' }),
  ),
  isRecount: Type.Boolean({ description: 'On the list of the last recount' }),
  entries: Type.Array(CountEntry, {
    description: 'What each person and device counted; numbers of a round add up',
  }),
})
export type StockCountItem = Static<typeof StockCountItem>

export const Recount = Type.Object({
  round: Type.Integer(),
  varianceValueAbove: Nullable(Type.Number()),
  variancePercentAbove: Nullable(Type.Number()),
  itemCount: Type.Integer(),
  requestedBy: Type.String(),
  requestedAt: Timestamp,
})

/** Null where a blind count hides them, and while no number has been compared. */
const resultFields = {
  varianceValue: Nullable(
    Type.Number({ description: 'Sum of the variances of known cost, in the currency of the shop' }),
  ),
  accuracy: Nullable(
    Type.Number({
      description:
        '1 - sum of |variance| / sum of expected, at least 0; 1 when nothing was expected and found',
    }),
  ),
  accuracyByValue: Nullable(Type.Number({ description: 'The same in money, of products of known cost' })),
  uncostedItemCount: Nullable(Type.Integer({ description: 'Products with a variance and no known cost' })),
}

export const StockCount = Type.Object({
  id: Id,
  locationId: Type.String(),
  locationName: Type.String(),
  status: StockCountStatus,
  phase: StockCountPhase,
  blind: Type.Boolean(),
  isHidden: Type.Boolean({ description: 'Expected quantities and variances are hidden: counting goes on' }),
  filter: Nullable(
    // plain texts: the serializer does not know the formats of the request
    Type.Object({
      vendor: Type.Optional(Type.String()),
      productType: Type.Optional(Type.String()),
      abcClass: Type.Optional(Type.String()),
      bin: Type.Optional(Type.String()),
      changedSince: Type.Optional(Type.String()),
    }),
  ),
  planId: Nullable(Id),
  itemCount: Type.Integer(),
  notes: Type.String(),
  reason: Type.String({ description: 'Of the stock changes that the submit makes' }),
  items: Type.Array(StockCountItem),
  ...resultFields,
  absoluteVarianceValue: Nullable(Amount),
  approvalNeeded: Nullable(
    Type.Boolean({ description: 'The submit needs an approval that the count does not have' }),
  ),
  recount: Nullable(Recount),
  createdBy: Type.String({ description: 'Empty: a count plan' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  finishedBy: Nullable(Type.String()),
  variancesVersion: Nullable(
    Type.String({ description: 'Of a draft that shows its variances: another text when one has changed' }),
  ),
  approvedAt: Nullable(Timestamp),
  approvedBy: Nullable(Type.String()),
  submittedAt: Nullable(Timestamp),
  submittedBy: Nullable(Type.String()),
  cancelledAt: Nullable(Timestamp),
  staleItemCount: Type.Integer({
    description: 'Numbers that were submitted with `acceptStale`, without a word of the platform',
  }),
})
export type StockCount = Static<typeof StockCount>

export const FilledStockCount = Type.Object({
  ...StockCount.properties,
  addedItemCount: Type.Integer({ description: 'Products that were not in the count before' }),
})
export type FilledStockCount = Static<typeof FilledStockCount>

export const StockCountListItem = Type.Pick(StockCount, [
  'id',
  'locationId',
  'locationName',
  'status',
  'phase',
  'blind',
  'itemCount',
  'createdAt',
  'varianceValue',
  'accuracy',
])
export type StockCountListItem = Static<typeof StockCountListItem>

export const CreatedStockCount = Type.Pick(StockCount, ['id', 'status', 'locationId', 'createdAt'])
export type CreatedStockCount = Static<typeof CreatedStockCount>

export const UpdatedStockCount = Type.Object({
  ...StockCount.properties,
  alreadyApplied: Type.Boolean({
    description: 'The count was submitted or cancelled before; this request moved no stock',
  }),
})
export type UpdatedStockCount = Static<typeof UpdatedStockCount>
