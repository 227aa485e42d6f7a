import type { StockTransfer } from '../../../../shared/schemas/stock-transfers.ts'

export type VariantLine = StockTransfer['items'][number] & {
  /** Planned, and not shipped yet; 0 when the plan has ended. */
  toShip: number
}

/** The items by product: the API takes pieces of a product, and fills its lines in their order. */
export function linesByVariant({ items, isPlanEnded }: StockTransfer): VariantLine[] {
  return [...Map.groupBy(items, ({ variantId }) => variantId).values()].flatMap((lines) => {
    const [first] = lines
    if (!first) return []
    const sum = (read: (line: (typeof lines)[number]) => number) =>
      lines.reduce((total, line) => total + read(line), 0)
    const quantity = sum((line) => line.quantity)
    const shipped = sum((line) => line.shipped)
    return [
      {
        ...first,
        quantity,
        shipped,
        received: sum((line) => line.received),
        lost: sum((line) => line.lost),
        damaged: sum((line) => line.damaged),
        returned: sum((line) => line.returned),
        inTransit: sum((line) => line.inTransit),
        toShip: isPlanEnded ? 0 : quantity - shipped,
      },
    ]
  })
}

export const sumOf = <T>(rows: readonly T[], read: (row: T) => number) =>
  rows.reduce((total, row) => total + read(row), 0)
