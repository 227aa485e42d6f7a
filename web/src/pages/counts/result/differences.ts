import type { StockCountItem } from '../../../../../shared/schemas/stock-counts.ts'

export type Summary = {
  differing: readonly StockCountItem[]
  counted: number
  uncounted: number
  /** Sums of the positive and of the negative variances, both in pieces and at least 0. */
  over: number
  short: number
}

export function summaryOf(items: readonly StockCountItem[]): Summary {
  const differing = items.filter(({ variance }) => variance !== null && variance !== 0)
  const counted = items.filter(({ countedQuantity }) => countedQuantity !== null).length
  const sum = (sign: 1 | -1) =>
    differing.reduce((pieces, { variance }) => pieces + Math.max(0, sign * (variance ?? 0)), 0)
  return { differing, counted, uncounted: items.length - counted, over: sum(1), short: sum(-1) }
}
