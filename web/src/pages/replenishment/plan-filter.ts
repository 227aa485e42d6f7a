import type { ReplenishmentBasis } from '../../../../shared/schemas/replenishment.ts'

/** Kept in the URL, so that links and the back button restore it. */
export type PlanFilter = {
  days?: number
  basis?: ReplenishmentBasis
  growth?: number
  supplierId?: number
  /** A gid. */
  locationId?: string
  /** Spends this budget, which has a supplier of its own or none; for all locations. */
  budgetId?: number
}

export const defaultDays = 30

export const basisOptions: { value: ReplenishmentBasis; label: string }[] = [
  { value: 'forecast', label: 'Forecast' },
  { value: '30d', label: 'Last 30 days' },
  { value: '60d', label: 'Last 60 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: 'last_year', label: 'Same weeks last year' },
]

export function readPlanFilter(params: Record<string, unknown>): PlanFilter {
  const days = Number(params.days)
  const growth = Number(params.growth)
  const supplierId = Number(params.supplierId)
  const budgetId = Number(params.budgetId)
  const { locationId } = params
  const basis = basisOptions.find(({ value }) => value === params.basis)?.value
  return {
    ...(Number.isInteger(days) && days >= 1 && days <= 365 && { days }),
    ...(basis && { basis }),
    ...(Number.isInteger(growth) && growth !== 0 && growth >= -90 && growth <= 900 && { growth }),
    ...(Number.isSafeInteger(budgetId) && budgetId > 0
      ? { budgetId }
      : {
          ...(Number.isSafeInteger(supplierId) && supplierId > 0 && { supplierId }),
          ...(typeof locationId === 'string' && /^gid:\/\/.+/.test(locationId) && { locationId }),
        }),
  }
}
