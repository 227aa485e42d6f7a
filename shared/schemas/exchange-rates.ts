import { type Static, Type } from '@sinclair/typebox'
import { choices, Day } from './common.ts'

/** The last rate of a currency. */
export const ExchangeRate = Type.Object({
  currency: Type.String({ description: 'ISO 4217' }),
  rate: Type.Number({ description: "1 of `currency` in the shop's currency" }),
  day: Day,
  source: choices('typed', 'import'),
})
export type ExchangeRate = Static<typeof ExchangeRate>
