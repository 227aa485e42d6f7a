import { type Static, Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../currency.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { keepTypedRate, lastRateOf } from '../../records/exchange-rates/exchange-rates.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { unknownSupplier } from '../../records/suppliers/unknown-supplier.ts'

/*
 * An order without a currency of its own is in the shop's. `rate` says how much 1 of the order's currency is in the
 * shop's; it is not stored for the shop's own currency, where it is 1.
 */

export const SupplierTerms = Type.Object({
  id: Id,
  /** Null: the shop's. */
  currency: Nullable(Type.String()),
  shopCurrency: Type.String(),
  taxRate: Type.Number(),
})
export type SupplierTerms = Static<typeof SupplierTerms>

/** SQL columns for `SupplierTerms`, from the alias of the supplier. `functions/look_up_order.sql` has the same rule. */
export function supplierTerms(shopId: number, supplier: string) {
  const s = sql.identifier([supplier])
  return sql.fragment`
    ${s}.id, ${s}.currency, ${currencyOf(shopId)} as shop_currency, coalesce(${s}.default_tax_rate, 0) as tax_rate
  `
}

/** Currency and tax rate of an order's supplier. Locks the supplier as `requireSuppliers` does. Throws unknown_supplier. */
export async function lockSupplierTerms(tx: Db, shopId: number, id: number): Promise<SupplierTerms> {
  const supplier = await tx.maybeOne(sql.type(row(SupplierTerms))`
    select ${supplierTerms(shopId, 's')}
    from supplier s
    where s.shop_id = ${shopId} and s.id = ${id} and s.archived_at is null
    for share of s
  `)
  if (!supplier) throw unknownSupplier()
  return supplier
}

/** Currency and tax rate of the supplier that an order has already, which may be archived. */
export function readSupplierTerms(tx: Db, shopId: number, id: number): Promise<SupplierTerms> {
  return tx.one(sql.type(row(SupplierTerms))`
    select ${supplierTerms(shopId, 's')}
    from supplier s
    where s.shop_id = ${shopId} and s.id = ${id}
  `)
}

/**
 * SQL for the rate of an order or a return: the given one, else the last typed one of the currency, else null.
 * `functions/insert_order.sql` has the same rule.
 */
export function rateOf(shopId: number, currency: string, shopCurrency: string, given: number | null) {
  if (currency === shopCurrency) return sql.fragment`null::numeric`
  if (given !== null) return sql.fragment`${given}::numeric`
  return lastRateOf(shopId, currency)
}

/**
 * SQL for how much 1 of the currency of an order or a return is in the shop's, from its alias; null: not known. `receipt_rate` and
 * `landed_lines` (`costs/functions/`) have the same rule.
 */
export function rateToShop(shopId: number, order: string) {
  const o = sql.identifier([order])
  return sql.fragment`case when coalesce(${o}.currency = ${currencyOf(shopId)}, true) then 1 else ${o}.rate end`
}

type Amounts = {
  tax?: number | null | undefined
  discount?: number | null | undefined
  rate?: number | null | undefined
}

/** Throws invalid_request for amounts with more decimals than the currency has, and for a rate of the shop's currency. */
export function requireAmounts(
  currency: string,
  shopCurrency: string,
  { tax, discount, rate }: Amounts,
): void {
  const digits = minorDigitsOf(currency)
  const faults = Object.entries({ tax, discount }).flatMap(([name, amount]) =>
    typeof amount === 'number' && Number(amount.toFixed(digits)) !== amount
      ? [{ path: `/${name}`, message: `must have at most ${digits} decimals in ${currency}` }]
      : [],
  )
  if (typeof rate === 'number' && rate !== 1 && currency === shopCurrency) {
    faults.push({ path: '/rate', message: `must be 1, since ${currency} is the shop's currency` })
  }
  if (faults.length > 0) throw badRequest(faults)
}

/** Keeps the rate that the merchant typed on an order by its day; the shop's own currency has none. */
export async function keepOrderRate(
  tx: Db,
  shopId: number,
  { currency, shopCurrency }: { currency: string; shopCurrency: string },
  rate: number | null | undefined,
): Promise<void> {
  if (typeof rate === 'number' && currency !== shopCurrency)
    await keepTypedRate(tx, shopId, { currency, rate })
}
