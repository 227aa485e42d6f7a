import { type Static, Type } from '@sinclair/typebox'
import {
  Amount,
  Currency,
  choices,
  Id,
  ListOf,
  Money,
  Nullable,
  Percent,
  Rate,
  Strict,
  Timestamp,
  Version,
} from './common.ts'

export const ChargeKind = choices('freight', 'duty', 'insurance', 'handling', 'other')
export type ChargeKind = Static<typeof ChargeKind>

/** What the shares of a charge follow: line totals, pieces, weight, or the amounts that the merchant gives. */
export const ChargeBasis = choices('value', 'quantity', 'weight', 'manual')
export type ChargeBasis = Static<typeof ChargeBasis>

const ChargeShare = Strict({ lineItemId: Id, amount: Money(4) })

const chargeFields = {
  kind: ChargeKind,
  amount: Money(4),
  currency: Type.Optional(Currency),
  rate: Type.Optional(Nullable(Rate)),
  taxRate: Type.Optional(Percent),
  basis: ChargeBasis,
  lineItemIds: Type.Optional(Nullable(ListOf(Id, 1, 500, 'ids of lines'))),
  shares: Type.Optional(Nullable(ListOf(ChargeShare, 0, 500, 'shares'))),
  isEstimate: Type.Optional(Type.Boolean()),
}

/**
 * A cost of an order beside its goods. Without a `rate`, or with null, a charge in the order's currency follows the rate of the order;
 * one in another currency takes the last typed rate. `shares` is required for the basis `manual` and refused for the others.
 */
export const ChargeInput = Strict(chargeFields)
export type ChargeInput = Static<typeof ChargeInput>

/** With `version`, that of the order, the update fails with `stale_version` when another request has changed the order since. */
export const ChargePatch = Type.Partial(Strict({ ...chargeFields, version: Version }))
export type ChargePatch = Static<typeof ChargePatch>

export const Charge = Type.Object({
  id: Id,
  kind: ChargeKind,
  amount: Amount,
  currency: Type.String(),
  rate: Type.Number({ description: "1 of the charge's currency in the shop's" }),
  isRateTyped: Type.Boolean({
    description: 'False: the rate follows that of the order where the charge is in its currency',
  }),
  taxRate: Type.Number({ description: 'Percent; recoverable, so it is no part of the cost' }),
  basis: ChargeBasis,
  lineItemIds: Nullable(Type.Array(Id, { description: 'Null: all lines' })),
  shares: Nullable(Type.Array(Type.Object({ lineItemId: Id, amount: Amount }))),
  isEstimate: Type.Boolean(),
  createdAt: Timestamp,
})
export type Charge = Static<typeof Charge>

export const ChargeId = Type.Pick(Charge, ['id'])
export const ChargeParams = Strict({ id: Id, chargeId: Id })
export const ChargeDeletion = Strict({ version: Type.Optional(Version) })

/** All amounts in the shop's currency, unit costs with up to 6 decimals. */
export const LandedCost = Type.Object({
  currency: Type.String(),
  lines: Type.Array(
    Type.Object({
      lineItemId: Id,
      sku: Type.String(),
      title: Type.String(),
      quantity: Type.Integer(),
      unitCost: Nullable(
        Type.Number({
          description:
            'Price, less discounts, with the costs that were corrected at receipts; null while price or rate is not known',
        }),
      ),
      landedUnitCost: Nullable(Type.Number({ description: 'Null also for a line without pieces' })),
      shares: Type.Array(Type.Object({ chargeId: Id, kind: ChargeKind, amount: Amount })),
    }),
  ),
  total: Nullable(Type.Number({ description: 'Goods and charges' })),
  variance: Type.Number({
    description: 'Costs that became known when the goods had left already: part of no average',
  }),
})
export type LandedCost = Static<typeof LandedCost>
