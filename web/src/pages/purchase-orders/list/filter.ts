import type {
  PurchaseOrderPayment,
  PurchaseOrderSort,
  PurchaseOrderStage,
  PurchaseOrderStatus,
} from '../../../../../shared/schemas/purchase-orders.ts'
import { readDay } from '../../../components/pickers/days.ts'
import { readPositive, readSearch } from '../../../components/tables/address.ts'

const statuses: readonly PurchaseOrderStatus[] = ['draft', 'sent', 'partial', 'received', 'cancelled']

/** Groups of statuses; the first two are tabs, other pages link to the rest. */
export const stageNames: Record<PurchaseOrderStage, string> = {
  incoming: 'To receive',
  overdue: 'Overdue',
  open: 'Open',
  due: 'Due today or earlier',
  undelivered: 'E-mail not delivered',
}

export const paymentNames: Record<PurchaseOrderPayment, string> = {
  unpaid: 'Unpaid',
  overdue: 'Overdue',
  paid: 'Paid',
}

export const readPayment = (value: unknown): PurchaseOrderPayment | undefined =>
  (Object.keys(paymentNames) as PurchaseOrderPayment[]).find((known) => known === value)

export const sorts: readonly { value: PurchaseOrderSort; label: string }[] = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'number', label: 'Number, lowest first' },
  { value: '-number', label: 'Number, highest first' },
  { value: 'supplier', label: 'Supplier, A to Z' },
  { value: '-supplier', label: 'Supplier, Z to A' },
  { value: 'expected', label: 'Expected, earliest first' },
  { value: '-expected', label: 'Expected, latest first' },
  { value: 'total', label: 'Total, lowest first' },
  { value: '-total', label: 'Total, highest first' },
]

/** The filter and the sort in the URL. */
export type OrderFilter = {
  status?: PurchaseOrderStatus
  stage?: PurchaseOrderStage
  payment?: PurchaseOrderPayment
  supplierId?: number
  locationId?: string
  expectedFrom?: string
  expectedTo?: string
  search?: string
  sort?: PurchaseOrderSort
}

export function readOrderFilter(search: Record<string, unknown>): OrderFilter {
  const status = statuses.find((known) => known === search.status)
  const stage = (Object.keys(stageNames) as PurchaseOrderStage[]).find((known) => known === search.stage)
  const sort = sorts.find(({ value }) => value === search.sort && value !== 'newest')?.value
  const payment = readPayment(search.payment)
  const { locationId } = search
  return {
    ...(status ? { status } : stage && { stage }),
    ...(payment && { payment }),
    ...readPositive('supplierId', search.supplierId),
    ...(typeof locationId === 'string' && /^gid:/.test(locationId) && { locationId }),
    ...readExpected(search),
    ...readSearch(search),
    ...(sort && { sort }),
  }
}

type ExpectedDays = Pick<OrderFilter, 'expectedFrom' | 'expectedTo'>

/** The merchant may type one of two days after the other, so that the first is later for a while. */
export const isReversed = ({ expectedFrom, expectedTo }: ExpectedDays) =>
  expectedFrom !== undefined && expectedTo !== undefined && expectedFrom > expectedTo

/** The filter of a request: the API refuses two days of which the first is later. */
export function requestFilter(filter: OrderFilter): OrderFilter {
  if (!isReversed(filter)) return filter
  const { expectedFrom: _, expectedTo: __, ...rest } = filter
  return rest
}

function readExpected(search: Record<string, unknown>): ExpectedDays {
  const [expectedFrom, expectedTo] = [readDay(search.expectedFrom), readDay(search.expectedTo)]
  return { ...(expectedFrom && { expectedFrom }), ...(expectedTo && { expectedTo }) }
}

/** What a new order begins with: the number that ends the id of a product variant, and a location by platform id. */
export type OrderStart = { supplierId?: number; variantId?: string; quantity?: number; locationId?: string }

export function readOrderStart(search: Record<string, unknown>): OrderStart {
  // a number of the address may have lost digits
  const variantId = Number.isSafeInteger(search.variantId) ? String(search.variantId) : search.variantId
  const { locationId } = search
  return {
    ...readPositive('supplierId', search.supplierId),
    ...(typeof variantId === 'string' && /^[1-9]\d{0,19}$/.test(variantId) && { variantId }),
    ...readPositive('quantity', search.quantity),
    ...(typeof locationId === 'string' && { locationId }),
  }
}
