import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { conflict, unprocessable } from '../../../../errors.ts'
import type { ChargeBasis, ChargeKind } from '../../../../schemas/charges.ts'
import { Id } from '../../../../schemas/common.ts'

/** The fields of a charge, complete. `shares` has the merchant's amount by line id. */
export type WholeCharge = {
  kind: ChargeKind
  amount: number
  currency: string
  rate: number
  /** False: the rate of the order, which the charge follows in its currency, or the last one of the charge's currency. */
  isRateTyped: boolean
  taxRate: number
  basis: ChargeBasis
  lineItemIds: number[] | null
  shares: { lineItemId: number; amount: number }[] | null
  isEstimate: boolean
}

const ChargedLine = Type.Object({ id: Id, title: Type.String(), hasWeight: Type.Boolean() })

/**
 * Throws unknown_line; weight_missing, which names every line without a weight, for the basis weight;
 * and, unless `isSplitAgain` is false, invalid_shares, and shares_do_not_add_up when the merchant's shares are not the amount.
 */
export async function requireCharge(
  tx: Db,
  shopId: number,
  purchaseOrderId: number,
  { basis, amount, lineItemIds, shares }: WholeCharge,
  { isSplitAgain = true }: { isSplitAgain?: boolean } = {},
): Promise<void> {
  const lines = await tx.any(sql.type(row(ChargedLine))`
    select l.id, l.title, coalesce(v.weight_grams, 0) > 0 as has_weight
    from purchase_order_line l
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
    order by l.position
  `)
  if (lines.length === 0) throw conflict('Add lines to the order before its charges.')
  const known = new Set(lines.map(({ id }) => id))
  const unknown = [
    ...(lineItemIds ?? []).map((id, at) => ({ id, path: `/lineItemIds/${at}` })),
    ...(shares ?? []).map(({ lineItemId: id }, at) => ({ id, path: `/shares/${at}/lineItemId` })),
  ].filter(({ id }) => !known.has(id))
  if (unknown.length > 0) {
    const details = unknown.map(({ path }) => ({ path, message: 'is not a line of this order' }))
    throw unprocessable('unknown_line', 'Some lines do not belong to this order. Reload it.', details)
  }
  if (basis === 'weight') {
    const charged = lines.filter(({ id }) => lineItemIds === null || lineItemIds.includes(id))
    const without = charged.filter(({ hasWeight }) => !hasWeight).map(({ title }) => title)
    if (without.length > 0) {
      const message = 'Some products have no weight. Enter it in your shop, or choose another basis.'
      const details = [{ path: '/basis', message: `needs a weight of ${[...new Set(without)].join(', ')}` }]
      throw unprocessable('weight_missing', message, details)
    }
  }
  if (shares && isSplitAgain) {
    requireOneShareEach(shares, lineItemIds)
    requireSum(shares, amount)
  }
}

/** Throws invalid_shares for a line that has two shares, and for one that the charge does not name. */
function requireOneShareEach(
  shares: readonly { lineItemId: number }[],
  lineItemIds: readonly number[] | null,
): void {
  const details = shares.flatMap(({ lineItemId }, at) => {
    const path = `/shares/${at}/lineItemId`
    if (shares.findIndex((share) => share.lineItemId === lineItemId) < at)
      return [{ path, message: 'has a share already' }]
    if (lineItemIds && !lineItemIds.includes(lineItemId))
      return [{ path, message: 'is not one of the lineItemIds of this charge' }]
    return []
  })
  if (details.length > 0) {
    throw unprocessable('invalid_shares', 'Give each line of the charge one share.', details)
  }
}

/** In ten-thousandths, which are exact: amounts have at most 4 decimals. */
function requireSum(shares: readonly { amount: number }[], amount: number): void {
  const units = (value: number) => BigInt(Math.round(value * 10_000))
  const sum = shares.reduce((total, share) => total + units(share.amount), 0n)
  if (sum === units(amount)) return
  const details = [
    { path: '/shares', message: `must add up to ${amount}, and add up to ${Number(sum) / 10_000}` },
  ]
  throw unprocessable('shares_do_not_add_up', 'The shares must add up to the charge.', details)
}

const WeightlessLine = Type.Object({ position: Type.Integer(), title: Type.String() })

/**
 * Throws weight_missing with every line of an order that has no weight, and that a charge by weight is split among. Call it after
 * the lines have changed: their places are those of the request.
 */
export async function requireWeights(tx: Db, shopId: number, purchaseOrderId: number): Promise<void> {
  const lines = await tx.any(sql.type(row(WeightlessLine))`
    select l.position, l.title
    from purchase_order_line l
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${purchaseOrderId}
      and coalesce(l.weight_grams, v.weight_grams, 0) = 0
      and exists (
        select from purchase_order_charge c
        where c.shop_id = ${shopId} and c.purchase_order_id = ${purchaseOrderId} and c.basis = 'weight'
          and (
            c.line_ids is null or l.id = any(c.line_ids)
            -- as in charge_shares: without its lines, the charge is of the whole order
            or not exists (
              select from purchase_order_line x
              where x.shop_id = ${shopId} and x.purchase_order_id = ${purchaseOrderId} and x.id = any(c.line_ids)
            )
          )
      )
    order by l.position
  `)
  if (lines.length === 0) return
  const details = lines.map(({ position, title }) => ({
    path: `/lineItems/${position}/variantId`,
    message: `needs a weight of ${title}, since a charge is split by weight`,
  }))
  const message =
    'A charge of this order is split by weight, and some products have none. Enter it in your shop, or split the charge another way.'
  throw unprocessable('weight_missing', message, details)
}
