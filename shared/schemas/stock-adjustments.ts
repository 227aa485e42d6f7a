import { type Static, Type } from '@sinclair/typebox'
import { choices, Gid, List, ListOf, Message, Strict, Text, Whole } from './common.ts'

const pieces = Whole(-1_000_000_000, 1_000_000_000)

const lineFields = {
  variantId: Gid('ProductVariant'),
  locationId: Gid('Location'),
  reason: Type.Optional(Text(200)),
}

const linesOf = <T extends ReturnType<typeof Type.Object>>(line: T) => ListOf(line, 1, 1000, 'adjustments')

const allowNegative = Type.Optional(
  Type.Boolean({ description: 'Allows levels below zero; without it such a change is refused' }),
)

/** `quantity` is the new level: of what is available, or of what lies on the shelf. */
export const StockSetting = Strict({
  adjustments: linesOf(Strict({ ...lineFields, quantity: pieces })),
  basis: Type.Optional(choices('available', 'on_hand')),
  allowNegative,
})
export type StockSetting = Static<typeof StockSetting>

/** `delta` is added to the level; it may be negative. */
export const StockAdjustment = Strict({
  adjustments: linesOf(Strict({ ...lineFields, delta: pieces })),
  allowNegative,
})
export type StockAdjustment = Static<typeof StockAdjustment>

export const AdjustedStock = Type.Object({
  adjusted: Type.Integer({ description: 'Number of adjustments that were applied' }),
  ...Message.properties,
  levels: List(
    Type.Object(
      {
        variantId: Gid('ProductVariant'),
        locationId: Gid('Location'),
        previousQuantity: Type.Integer({ description: 'Available, whatever the basis' }),
        newQuantity: Type.Integer(),
      },
      { description: 'A level that has changed' },
    ),
  ),
})
export type AdjustedStock = Static<typeof AdjustedStock>
