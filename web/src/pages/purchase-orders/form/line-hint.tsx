import { Text } from '@mantine/core'
import { useFormat } from '../../../components/shop/format.ts'
import type { LineTerms } from './line-terms.ts'

type Props = { terms: LineTerms; quantity: number | ''; currency: string | undefined }

/** How the supplier sells the product of a line: its SKU, packs, minimum and prices by quantity. */
export function LineHint({ terms, quantity, currency }: Props) {
  const format = useFormat(currency)
  const { supplierSku, packSize, minimumQuantity, quantityMultiple, breaks } = terms
  const packs = Number(quantity) / packSize
  const parts = [
    ...(supplierSku ? [`Supplier SKU ${supplierSku}`] : []),
    ...(packSize > 1 && Number.isInteger(packs)
      ? [`${format.many(packs, 'pack')} × ${packSize} = ${format.count(Number(quantity))}`]
      : []),
    ...(packSize > 1 && !Number.isInteger(packs) ? [`Sold in packs of ${packSize}`] : []),
    ...(quantityMultiple > 1 ? [`Sold in multiples of ${quantityMultiple}`] : []),
    ...(minimumQuantity === null ? [] : [`Minimum ${format.count(minimumQuantity)}`]),
    ...breaks.map(({ minQuantity, price }) => `from ${format.count(minQuantity)}: ${format.cost(price)}`),
  ]
  if (parts.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      {parts.join(' · ')}
    </Text>
  )
}
