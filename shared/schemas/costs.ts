import { type Static, Type } from '@sinclair/typebox'
import { choices, Id, Nullable, Timestamp } from './common.ts'
import { CostSource } from './variants.ts'

/** Why the cost of a variant changed (`shared/domain/ledgers/costs/book.ts`). */
export const CostCause = choices(
  ...([
    'opening',
    'platform',
    'import',
    'manual',
    'receipt',
    'reversal',
    'charge',
    'return',
    'loss',
    'repair',
  ] as const),
)

export const CostMovement = Type.Object({
  id: Id,
  occurredAt: Timestamp,
  cause: CostCause,
  reference: Type.String({ description: 'As in purchase_order/12; empty when it came from elsewhere' }),
  actor: Type.String(),
  quantity: Type.Integer({ description: 'Pieces that came, or left if negative' }),
  unitCost: Nullable(Type.Number()),
  averageBefore: Nullable(Type.Number()),
  averageAfter: Nullable(Type.Number()),
  variance: Type.Number({ description: 'Cost of pieces that had left already' }),
})
export type CostMovement = Static<typeof CostMovement>

/** In the shop's currency, with up to 6 decimals. */
export const VariantCosts = Type.Object({
  variantId: Type.String(),
  currency: Type.String(),
  averageCost: Nullable(Type.Number()),
  lastCost: Nullable(Type.Number()),
  source: Nullable(CostSource),
  onHand: Type.Integer({ description: 'Of the whole shop' }),
  value: Nullable(Type.Number({ description: 'What is on hand, at the average cost' })),
  writeBack: Nullable(
    Type.Object(
      {
        cost: Type.Number(),
        state: choices('waiting', 'failed'),
        reason: Type.String({ description: 'Why the platform refused the cost, or could not be reached' }),
      },
      { description: 'The cost that the platform does not have yet; null: none' },
    ),
  ),
  movements: Type.Array(CostMovement, { description: 'Newest first' }),
})
export type VariantCosts = Static<typeof VariantCosts>

/** A refused cost after a person has tried it again or discarded it. */
export const DecidedCostPush = Type.Object({
  variantId: Type.String(),
  state: choices('waiting', 'discarded'),
})
export type DecidedCostPush = Static<typeof DecidedCostPush>
