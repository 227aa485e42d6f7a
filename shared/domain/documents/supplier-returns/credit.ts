import { type Static, Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../../currency.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest, conflict, notFound } from '../../../errors.ts'
import { Nullable } from '../../../schemas/common.ts'
import { ChangedSupplierReturn, type SupplierReturnCredit } from '../../../schemas/supplier-returns.ts'
import { keepTypedRate } from '../../records/exchange-rates/exchange-rates.ts'
import { currencyOf } from '../../records/shops/currency.ts'
import { rateOf, requireAmounts } from '../purchase-orders/currency.ts'
import { transitionRefused } from './supplier-returns.ts'

const Terms = Type.Object({
  currency: Type.String(),
  shopCurrency: Type.String(),
  rate: Nullable(Type.Number()),
  creditAmount: Nullable(Type.Number()),
  creditReference: Type.String(),
  version: Type.Integer(),
})
type Terms = Static<typeof Terms>

/**
 * Stores the supplier's credit note of a shipped return, in the return's currency, or corrects that of a credited one,
 * which keeps its day. Without `creditReference` or `rate`, that of the return stays; one without any rate gets the last one of
 * the currency. Repeating the stored credit changes nothing and returns `alreadyApplied`. Throws not_found, conflict,
 * stale_version when `version` is not the current one, and invalid_request for an amount with more decimals than the currency has.
 */
export function creditSupplierReturn(
  db: Db,
  shopId: number,
  id: number,
  { creditAmount, creditReference, rate, version }: SupplierReturnCredit,
): Promise<ChangedSupplierReturn> {
  return db.transaction(async (tx) => {
    const terms = await readTerms(tx, shopId, id)
    requireCredit(terms, creditAmount, rate ?? null)
    const { currency, shopCurrency } = terms
    const isForeign = currency !== shopCurrency
    const known = isForeign ? (rate ?? null) : null
    const reference = creditReference === undefined ? terms.creditReference : (creditReference ?? '')
    const isRepeated =
      terms.creditAmount === creditAmount &&
      terms.creditReference === reference &&
      (known === null || terms.rate === known)
    if (isRepeated) return transitionRefused(tx, shopId, id, ['credited'], {})
    if (version !== undefined && version !== terms.version) {
      throw conflict('This return was changed in the meantime. Reload it before you save.', 'stale_version')
    }
    if (known !== null) await keepTypedRate(tx, shopId, { currency, rate: known })
    const credited = await tx.maybeOne(sql.type(row(Type.Omit(ChangedSupplierReturn, ['alreadyApplied'])))`
      update supplier_return
      set state = 'credited', credit_amount = ${creditAmount}, credit_reference = ${reference},
        rate = coalesce(${known}::numeric, rate, ${rateOf(shopId, currency, shopCurrency, null)}),
        credited_at = least(credited_at, now()), updated_at = now(), version = version + 1
      where shop_id = ${shopId} and id = ${id} and state in ('shipped', 'credited')
      returning id, number, state, version
    `)
    if (credited) return { ...credited, alreadyApplied: false }
    return transitionRefused(tx, shopId, id, [], {
      draft: 'This return is a draft. Ship it before you enter its credit.',
      cancelled: 'This return is cancelled, so it gets no credit.',
    })
  })
}

async function readTerms(tx: Db, shopId: number, id: number): Promise<Terms> {
  const terms = await tx.maybeOne(sql.type(row(Terms))`
    select coalesce(currency, ${currencyOf(shopId)}) as currency, ${currencyOf(shopId)} as shop_currency, rate,
      credit_amount, credit_reference, version
    from supplier_return
    where shop_id = ${shopId} and id = ${id}
    for no key update
  `)
  if (!terms) throw notFound('Supplier return')
  return terms
}

function requireCredit({ currency, shopCurrency }: Terms, amount: number, rate: number | null): void {
  requireAmounts(currency, shopCurrency, { rate })
  const digits = minorDigitsOf(currency)
  if (Number(amount.toFixed(digits)) === amount) return
  throw badRequest([
    { path: '/creditAmount', message: `must have at most ${digits} decimals in ${currency}` },
  ])
}
