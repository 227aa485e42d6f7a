import { Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../../currency.ts'
import { type Db, row, sql } from '../../../../db/db.ts'
import { badRequest, type Fault, unprocessable } from '../../../../errors.ts'
import type { ChargeInput } from '../../../../schemas/charges.ts'
import { Nullable } from '../../../../schemas/common.ts'
import { keepTypedRate, lastRateOf } from '../../../records/exchange-rates/exchange-rates.ts'
import type { WholeCharge } from './charge-rules.ts'

/** The currencies of an order and its shop. */
type ChargedOrder = { shopCurrency: string; currency: string; rate: number | null }

/**
 * Gives the charges of an order in its currency, whose rates were not typed, the rate of the order. The caller books late costs. A charge
 * keeps its rate while that of the order is not known.
 */
export async function followOrderRate(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update purchase_order_charge c
    set rate = o.rate, updated_at = now()
    from purchase_order o
    where c.shop_id = ${shopId} and c.purchase_order_id = ${purchaseOrderId} and not c.is_rate_typed
      and o.shop_id = ${shopId} and o.id = ${purchaseOrderId} and o.currency = c.currency and o.rate <> c.rate
  `)
}

type ChargeRate = Pick<WholeCharge, 'rate' | 'isRateTyped'>

/** Fills in currency and rate; `kept` is the rate of a charge that stays. Throws invalid_request and rate_missing. */
export async function completeCharge(
  tx: Db,
  shopId: number,
  order: ChargedOrder,
  input: ChargeInput,
  kept: ChargeRate | null = null,
): Promise<WholeCharge> {
  const currency = input.currency ?? order.shopCurrency
  const faults: Fault[] = []
  const digits = minorDigitsOf(currency)
  if (Number(input.amount.toFixed(digits)) !== input.amount) {
    faults.push({ path: '/amount', message: `must have at most ${digits} decimals in ${currency}` })
  }
  if (currency === order.shopCurrency && typeof input.rate === 'number' && input.rate !== 1) {
    faults.push({ path: '/rate', message: `must be 1, since ${currency} is the shop's currency` })
  }
  if (faults.length > 0) throw badRequest(faults)
  return {
    ...input,
    currency,
    ...(kept && currency !== order.shopCurrency
      ? kept
      : await rateOfCharge(tx, shopId, order, currency, input.rate ?? null)),
    taxRate: input.taxRate ?? 0,
    lineItemIds: input.lineItemIds ?? null,
    shares: input.basis === 'manual' ? (input.shares ?? []) : null,
    isEstimate: input.isEstimate ?? false,
  }
}

/** A typed rate, which is kept by day as the default of later charges; else that of the order, else the last one of the currency. */
async function rateOfCharge(
  tx: Db,
  shopId: number,
  order: ChargedOrder,
  currency: string,
  typed: number | null,
): Promise<ChargeRate> {
  if (currency === order.shopCurrency) return { rate: 1, isRateTyped: false }
  if (typed !== null) {
    await keepTypedRate(tx, shopId, { currency, rate: typed })
    return { rate: typed, isRateTyped: true }
  }
  if (currency === order.currency && order.rate !== null) return { rate: order.rate, isRateTyped: false }
  const last = await tx.one(sql.type(row(Type.Object({ rate: Nullable(Type.Number()) })))`
    select ${lastRateOf(shopId, currency)} as rate
  `)
  if (last.rate !== null) return { rate: last.rate, isRateTyped: false }
  const details = [{ path: '/rate', message: `is required, since no rate of ${currency} is known` }]
  throw unprocessable('rate_missing', `Enter the exchange rate of ${currency}.`, details)
}
