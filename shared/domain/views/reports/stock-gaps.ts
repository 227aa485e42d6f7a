import { Type } from '@sinclair/typebox'
import { roundMoney } from '../../../currency.ts'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import type { StockGap, StockGapFilter, VariantStockGap } from '../../../schemas/planning.ts'
import { type Page, PairKey, pageSize, readPair, toPairPage } from '../../kit/pages/pages.ts'
import { isFound } from '../../kit/search.ts'
import { lostRevenueOf } from '../../planning/planning/compute.ts'
import { explainCure } from '../../planning/planning/explain.ts'
import { readPlannedVariants } from '../../planning/planning/planned-variants.ts'
import { findGaps, type VariantGap } from '../../planning/planning/variant-gaps.ts'
import { isOfProduct } from '../../records/catalogue/product-filter.ts'

const Listed = Type.Composite([Type.Object({ variantId: Id, locationId: Nullable(Id) }), PairKey])

/**
 * Lists variants that run out before goods arrive, the largest loss of the night first. The numbers are as of now; a gap that has gone since
 * the night is not on its page, so a page may have fewer rows than its limit.
 */
export async function listStockGaps(db: Db, shopId: number, filter: StockGapFilter): Promise<Page<StockGap>> {
  const after = readPair(filter.cursor)
  const listed = await db.any(sql.type(row(Listed))`
    select g.variant_id, g.location_id, g.rank, g.id as row_id
    from stock_gap g
    where ${sql.and([
      sql.fragment`g.shop_id = ${shopId}`,
      isFound(sql.fragment`g.variant_id`, shopId, filter.search),
      isOfProduct(sql.fragment`g.variant_id`, shopId, filter),
      after !== null && sql.fragment`(g.rank, g.id) > (${after.rank}::bigint, ${after.rowId}::bigint)`,
    ])}
    order by g.rank, g.id
    limit ${pageSize(filter) + 1}
  `)
  const { records, next } = toPairPage(listed, filter)
  const variants = await readPlannedVariants(db, shopId, [
    ...new Set(records.map(({ variantId }) => variantId)),
  ])
  const found = new Map(
    (await findGaps(db, shopId, variants)).map((each) => [
      keyOf(each.variant.id, each.location?.locationId ?? null),
      each,
    ]),
  )
  return {
    records: records.flatMap(({ variantId, locationId }) => {
      const gap = found.get(keyOf(variantId, locationId))
      if (!gap) return []
      const { gid, sku, title } = gap.variant
      return [{ variantId: gid, sku, title, ...shownGap(gap) }]
    }),
    next,
  }
}

const keyOf = (variantId: number, locationId: number | null) => `${variantId} ${locationId ?? ''}`

/** The gaps of one variant (row id), in total and by location. */
export async function gapsOfVariant(db: Db, shopId: number, variantId: number): Promise<VariantStockGap[]> {
  const variants = await readPlannedVariants(db, shopId, [variantId])
  return (await findGaps(db, shopId, variants)).map(shownGap)
}

function shownGap(found: VariantGap): VariantStockGap {
  const { variant, location, available, gap, cure } = found
  const { price, currency } = variant
  const { gapOn, nextArrivalOn, missingUnits } = gap
  return {
    locationId: location?.locationGid ?? null,
    locationName: location?.locationName ?? null,
    ...{ available, gapOn, nextArrivalOn, missingUnits, lostRevenue: lostRevenueOf(found) },
    cure: cure && {
      ...{ kind: cure.kind, quantity: cure.quantity, arrivesOn: cure.arrivesOn, savedUnits: cure.savedUnits },
      savedRevenue: price === null ? null : roundMoney(cure.savedUnits * price, currency),
      spends: cure.spends === null ? null : roundMoney(cure.spends, currency),
      purchaseOrderId: cure.order?.purchaseOrderId ?? null,
      poNumber: cure.order?.poNumber ?? null,
      supplierId: cure.supplier?.id ?? null,
      supplierName: cure.supplier?.name ?? null,
      sourceLocationId: cure.source?.gid ?? null,
      sourceLocationName: cure.source?.name ?? null,
      sourceLastsDays: cure.source?.lastsDays ?? null,
    },
    explanation: explainCure(gap, cure, variant.today),
  }
}
