import type { ReplenishmentBasis } from '../../../../shared/schemas/replenishment.ts'
import { readPositive } from '../../components/tables/address.ts'

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
  const budget = readPositive('budgetId', params.budgetId)
  const { locationId } = params
  const basis = basisOptions.find(({ value }) => value === params.basis)?.value
  return {
    ...(Number.isInteger(days) && days >= 1 && days <= 365 && { days }),
    ...(basis && { basis }),
    ...(Number.isInteger(growth) && growth !== 0 && growth >= -90 && growth <= 900 && { growth }),
    ...(budget.budgetId
      ? budget
      : {
          ...readPositive('supplierId', params.supplierId),
          ...(typeof locationId === 'string' && /^gid:\/\/.+/.test(locationId) && { locationId }),
        }),
  }
}
