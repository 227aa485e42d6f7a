import type { Unit } from '../load.ts'
import type { KnownSupplier } from '../match-suppliers.ts'
import type { Existing } from './existing.ts'
import type { OrderPlan, PlannedLine } from './types.ts'

export type Planned = {
  unit: Unit
  plan: OrderPlan
  faults: Map<number, string>
  skipped: Map<number, string>
  supplier: KnownSupplier
  locationId: number | null
}

/** An order with the lines that this import adds to it: all of a new one, for which `known` is null. */
export type WrittenOrder = {
  each: Planned
  id: number
  lines: readonly PlannedLine[]
  known: Existing | null
}

/** Null: the shop's. */
export const currencyOfOrder = ({ plan, supplier }: Planned) => plan.currency ?? supplier.currency
