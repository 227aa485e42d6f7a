import type { AbcClass, SalesPeriod } from '../../../../shared/schemas/reports.ts'
import { readDays } from '../../components/pickers/date-range.tsx'
import { type ProductFilter, readProductFilter } from '../../components/pickers/product-filter.ts'
import { readSupplier } from '../purchase-orders/list/filter.ts'

// The filters of reports are kept in the URL, so that links and the back button restore them.

export const salesPeriods: readonly SalesPeriod[] = ['7d', '30d', '90d']
export const abcClasses: readonly AbcClass[] = ['A', 'B', 'C']
/** Choices in days; the API takes any number from 1 to 730. */
export const deadStockDays: readonly number[] = [30, 60, 90, 180, 365]

type Search = Record<string, unknown>

export const readSpendFilter = (search: Search) => ({ ...readDays(search), ...readSupplier(search) })

export function readSalesFilter(search: Search): { period?: SalesPeriod; search?: string } & ProductFilter {
  const period = salesPeriods.find((known) => known === search.period)
  // the router parses digits in the URL as a number
  const text = String(search.search ?? '').slice(0, 200)
  return { ...(period && { period }), ...(text && { search: text }), ...readProductFilter(search) }
}

export function readAbcFilter(search: Search): { class?: AbcClass } & ProductFilter {
  const abcClass = abcClasses.find((known) => known === search.class)
  return { ...(abcClass && { class: abcClass }), ...readProductFilter(search) }
}

export function readDeadStockFilter(search: Search): { days?: number } & ProductFilter {
  const days = Number(search.days)
  const isValid = Number.isInteger(days) && days >= 1 && days <= 730
  return { ...(isValid && { days }), ...readProductFilter(search) }
}

export const readAdjustmentFilter = (search: Search) => ({
  ...readDays(search),
  ...readProductFilter(search),
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
