import { type Static, Type } from '@sinclair/typebox'
import { Gid, List, Message, Text } from './common.ts'

const strict = { additionalProperties: false }

const pieces = Type.Integer({
  minimum: -1_000_000_000,
  maximum: 1_000_000_000,
  rule: 'must be a whole number, at most 1 000 000 000 either way',
})

const place = {
  variantId: Gid('ProductVariant'),
  locationId: Gid('Location'),
  reason: Type.Optional(Text(200)),
}

const linesOf = <T extends ReturnType<typeof Type.Object>>(line: T) =>
  Type.Array(line, { minItems: 1, maxItems: 1000, rule: 'must be a list of 1 to 1000 adjustments' })

const allowNegative = Type.Optional(
  Type.Boolean({ description: 'Lets levels be below zero, which else is refused' }),
)

/** `quantity` is how many there are, whatever there were. */
export const StockSetting = Type.Object(
  { adjustments: linesOf(Type.Object({ ...place, quantity: pieces }, strict)), allowNegative },
  strict,
)
export type StockSetting = Static<typeof StockSetting>

/** `delta` is how many more there are, or fewer when it is negative. */
export const StockAdjustment = Type.Object(
  { adjustments: linesOf(Type.Object({ ...place, delta: pieces }, strict)), allowNegative },
  strict,
)
export type StockAdjustment = Static<typeof StockAdjustment>

export const AdjustedStock = Type.Object({
  adjusted: Type.Integer({ description: 'How many adjustments were applied' }),
  ...Message.properties,
  levels: List(
    Type.Object(
      {
        variantId: Gid('ProductVariant'),
        locationId: Gid('Location'),
        previousQuantity: Type.Integer(),
        newQuantity: Type.Integer(),
      },
      { description: 'A level that is another one now' },
    ),
  ),
})
export type AdjustedStock = Static<typeof AdjustedStock>
