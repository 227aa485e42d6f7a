import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../../../db/db.ts'
import { timeZoneOf } from '../../../kit/date-range.ts'
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

/** SQL for the instant of a text column of `n`, a day or an instant: of a day, noon in the shop's time zone. */
export const instantOf = (shopId: number, column: string): FragmentSqlToken => {
  const value = sql.identifier(['n', column])
  return sql.fragment`
    case when length(${value}) = 10 then (${value} || ' 12:00')::timestamp at time zone ${timeZoneOf(shopId)}
      else ${value}::timestamptz end
  `
}
