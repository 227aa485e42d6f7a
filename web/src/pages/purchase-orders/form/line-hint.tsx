import { Text } from '@mantine/core'
import { useFormat } from '../../../components/shop/format.ts'
import type { DraftLine } from './draft.ts'
import type { LineTerms } from './line-prices.ts'
import type { Figures } from './sums.ts'

type Props = {
  line: DraftLine
  terms: LineTerms | undefined
  figures: Figures
  currency: string | undefined
}

/** How the supplier sells the product of a line: its SKU, packs, minimum and prices by quantity, and the line's discount. */
export function LineHint({ line, terms, figures, currency }: Props) {
  const format = useFormat(currency)
  const { quantity, discountPercent, taxRate } = figures
  const supplierSku = line.supplierSku ?? terms?.supplierSku
  const packSize = Number(line.packSize ?? terms?.packSize ?? 1)
  const { minimumQuantity = null, quantityMultiple = 1, breaks = [] } = terms ?? {}
  const packs = quantity / packSize
  const parts = [
    ...(supplierSku ? [`Supplier SKU ${supplierSku}`] : []),
    ...(packSize > 1 && Number.isInteger(packs)
      ? [`${format.many(packs, 'pack')} × ${packSize} = ${format.count(quantity)}`]
      : []),
    ...(packSize > 1 && !Number.isInteger(packs) ? [`Sold in packs of ${packSize}`] : []),
    ...(quantityMultiple > 1 ? [`Sold in multiples of ${quantityMultiple}`] : []),
    ...(minimumQuantity === null ? [] : [`Minimum ${format.count(minimumQuantity)}`]),
    ...breaks.map(({ minQuantity, price }) => `from ${format.count(minQuantity)}: ${format.cost(price)}`),
    ...(discountPercent > 0 ? [`less ${discountPercent}%`] : []),
    ...(taxRate > 0 ? [`plus ${taxRate}% tax`] : []),
  ]
  if (parts.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {parts.join(' · ')}
    </Text>
  )
}
