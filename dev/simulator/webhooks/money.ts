import { fromCents } from '../shops/order-lines.ts'

/** An amount in cents as a body has it: in the shop's currency and, equal, in the customer's. */
export function moneySet(cents: number, currency: string) {
  const money = { amount: fromCents(cents), currency_code: currency }
  return { shop_money: money, presentment_money: money }
}

/** The fields `…_set` of amounts in cents. */
export const moneySets = (amounts: Readonly<Record<string, number>>, currency: string) =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, cents]) => [`${name}_set`, moneySet(cents, currency)]),
  )
