import { useQuery } from '@tanstack/react-query'
import type { PurchaseOrder } from '../../../../shared/schemas/purchase-orders.ts'
import { readQuery } from '../../api/queries.ts'

type LeadTime = { days: number; expectedAt: string }

/** The supplier whose lead time dates an order without an expected date, while the order may still arrive. */
export const datedBy = ({ expectedAt, status, supplierId }: PurchaseOrder): number | null =>
  expectedAt === null && status !== 'received' && status !== 'cancelled' ? supplierId : null

/** Reads a supplier; without an id it makes no request. */
export const supplierQuery = (supplierId: number | null) => ({
  ...readQuery('GET /suppliers/:id', { params: { id: supplierId ?? 0 } }),
  enabled: supplierId !== null,
})

/** When goods come that are ordered at an instant, by the lead time of the supplier; undefined while that is unknown. */
export function useLeadTime(supplierId: number | null, orderedAt: string | null): LeadTime | undefined {
  const { data } = useQuery(supplierQuery(supplierId))
  if (data?.leadTimeDays == null) return undefined
  const days = data.leadTimeDays
  const ordered = orderedAt === null ? Date.now() : Date.parse(orderedAt)
  return { days, expectedAt: new Date(ordered + days * 86_400_000).toISOString() }
}

/** Example: `Dec 3, 2026 (lead time of 10 days)`. */
export const byLeadTime = ({ days, expectedAt }: LeadTime, day: (instant: string) => string): string =>
  `${day(expectedAt)} (lead time of ${days} ${days === 1 ? 'day' : 'days'})`
