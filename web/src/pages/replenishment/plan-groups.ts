import type { ReplenishmentRow } from '../../../../shared/schemas/replenishment.ts'
import { priceAt } from '../purchase-orders/form/line-prices.ts'

export type PlanGroup = {
  key: string | number
  title: string
  /** Of all rows; null: none, or several. */
  supplierId: number | null
  currency: string
  rows: readonly ReplenishmentRow[]
  /** Said instead of the total. */
  note?: string
}

/** By supplier name, without a supplier last; in each group what runs out first comes first. */
export function groupRows(rows: readonly ReplenishmentRow[]): PlanGroup[] {
  return [...Map.groupBy(rows, ({ supplierId }) => supplierId)]
    .map(([supplierId, all]) => ({
      key: supplierId ?? 'none',
      supplierId,
      title: all[0]?.supplierName ?? 'No supplier',
      ...(supplierId === null && {
        note: 'These have no supplier. Add them to the products of a supplier to order them.',
      }),
      currency: all[0]?.currency ?? 'USD',
      rows: all.toSorted(byGap),
    }))
    .sort(
      (a, b) =>
        Number(a.supplierId === null) - Number(b.supplierId === null) || a.title.localeCompare(b.title),
    )
}

const afterAllDays = '9999'

const byGap = (a: ReplenishmentRow, b: ReplenishmentRow) =>
  (a.gapOn ?? afterAllDays).localeCompare(b.gapOn ?? afterAllDays) || a.title.localeCompare(b.title)

export type GroupTotal = {
  value: number
  pieces: number
  unknownCosts: number
  /** What is missing to the supplier's minimum; 0 when there is none. */
  shortByValue: number
  shortByPieces: number
}

/** The totals of the chosen rows of a group, each at the cost of its quantity. */
export function totalOf(
  rows: readonly ReplenishmentRow[],
  quantityOf: (row: ReplenishmentRow) => number,
): GroupTotal {
  const value = rows.reduce((sum, row) => sum + (lineTotalOf(row, quantityOf(row)) ?? 0), 0)
  const pieces = rows.reduce((sum, row) => sum + quantityOf(row), 0)
  const { supplierMinimumValue, supplierMinimumQuantity } = rows[0] ?? {}
  return {
    value,
    pieces,
    unknownCosts: rows.filter((row) => lineTotalOf(row, quantityOf(row)) === null).length,
    shortByValue: Math.max(0, (supplierMinimumValue ?? 0) - value),
    shortByPieces: Math.max(0, (supplierMinimumQuantity ?? 0) - pieces),
  }
}

/** The agreed price of a quantity, else the last known cost; null: none is known, also below the quantity of the first price. */
export const unitCostOf = (row: ReplenishmentRow, quantity: number): number | null =>
  row.breaks.length > 0 ? (priceAt(row, quantity) ?? null) : row.unitCost

export function lineTotalOf(row: ReplenishmentRow, quantity: number): number | null {
  const unitCost = unitCostOf(row, quantity)
  return unitCost === null ? null : unitCost * quantity
}
