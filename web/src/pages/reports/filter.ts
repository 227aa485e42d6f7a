import type { LostSaleFilter, OverstockFilter } from '../../../../shared/schemas/planning.ts'
import type { AbcClass, SalesPeriod } from '../../../../shared/schemas/reports.ts'
import { readDays } from '../../components/pickers/days.ts'
import { type ProductSearch, readProductSearch } from '../../components/pickers/product-filter.ts'
import { readGid, readPositive } from '../../components/tables/address.ts'

// The filters of reports are kept in the URL, so that links and the back button restore them.

export const salesPeriods: readonly SalesPeriod[] = ['7d', '30d', '90d']
export const abcClasses: readonly AbcClass[] = ['A', 'B', 'C']
/** Choices in days; the API takes any number from 1 to 730. */
export const deadStockDays: readonly number[] = [30, 60, 90, 180, 365]
export const coverDays: readonly NonNullable<OverstockFilter['days']>[] = ['30', '60', '90', '180', '365']
export const lostPeriods: readonly NonNullable<LostSaleFilter['period']>[] = ['30d', '90d', '365d']

type Search = Record<string, unknown>

/** The days are a number in the URL, which a string of digits would quote. */
export function readOverstockFilter(search: Search): { days?: number } & ProductSearch {
  const days = coverDays.find((known) => known === String(search.days))
  return { ...(days && { days: Number(days) }), ...readProductSearch(search) }
}

export function readLostSaleFilter(
  search: Search,
): { period?: (typeof lostPeriods)[number] } & ProductSearch {
  const period = lostPeriods.find((known) => known === search.period)
  return { ...(period && { period }), ...readProductSearch(search) }
}

/** The view of the calendar, and a day in it; without one today. */
export function readCalendar(search: Search): { view?: 'month'; day?: string } {
  const { startDate: day } = readDays({ startDate: search.day })
  return { ...(search.view === 'month' && { view: 'month' as const }), ...(day && { day }) }
}

export const readCommitmentFilter = (search: Search) => readPositive('supplierId', search.supplierId)

/** What is counted: orders when they are sent, the default, or goods when they arrive. */
export const readSpendFilter = (search: Search) => ({
  ...readDays(search),
  ...readPositive('supplierId', search.supplierId),
  ...(search.basis === 'received' && { basis: 'received' as const }),
})

export const readPriceFilter = (search: Search) => ({
  ...readDays(search),
  ...readProductSearch(search),
  ...readPositive('supplierId', search.supplierId),
  ...readGid('variantId', 'ProductVariant', search.variantId),
})

export function readSalesFilter(search: Search): { period?: SalesPeriod } & ProductSearch {
  const period = salesPeriods.find((known) => known === search.period)
  return { ...(period && { period }), ...readProductSearch(search) }
}

export function readAbcFilter(search: Search): { class?: AbcClass } & ProductSearch {
  const abcClass = abcClasses.find((known) => known === search.class)
  return { ...(abcClass && { class: abcClass }), ...readProductSearch(search) }
}

export function readDeadStockFilter(search: Search): { days?: number } & ProductSearch {
  const days = Number(search.days)
  const isValid = Number.isInteger(days) && days >= 1 && days <= 730
  return { ...(isValid && { days }), ...readProductSearch(search) }
}

export const readAdjustmentFilter = (search: Search) => ({
  ...readDays(search),
  ...readProductSearch(search),
})

/** A period, or one day (`asOf`), whose value may also be at the last cost. */
export function readValueFilter(search: Search) {
  const { startDate: asOf } = readDays({ startDate: search.asOf })
  return {
    ...readDays(search),
    ...(asOf && { asOf }),
    ...(asOf && search.basis === 'last' && { basis: 'last' as const }),
  }
}

export const readMarginFilter = (search: Search) => ({
  ...readDays(search),
  ...(search.groupBy === 'product' && { groupBy: 'product' as const }),
  ...readProductSearch(search),
})
