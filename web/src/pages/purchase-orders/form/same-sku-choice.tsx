import { Select, Text } from '@mantine/core'
import { useFormat } from '../../../components/shop/format.ts'
import type { SameSku } from './found-lines.ts'

type Props = { value: SameSku; onChoose: (variantId: string | null) => void }

/** Asks which of the products with one SKU the rows are. */
export function SameSkuChoice({ value: { match, lines, variantId }, onChoose }: Props) {
  const { count, many } = useFormat()
  const { code, variants } = match
  const isSku = variants.some(({ sku }) => sku.toLowerCase() === code.toLowerCase())
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0)
  const hidden = match.count - variants.length
  return (
    <>
      <Select
        label={`${count(match.count)} products have the ${isSku ? 'SKU' : 'barcode'} ${code}: choose one`}
        description={`${many(pieces, 'piece')} on ${many(lines.length, 'row')}`}
        placeholder="Choose a product"
        data={variants.map((variant) => ({
          value: variant.variantId,
          label: [variant.title, variant.sku, variant.barcode].filter(Boolean).join(' · '),
        }))}
        value={variantId}
        onChange={onChoose}
        clearable
        comboboxProps={{ withinPortal: true }}
      />
      {hidden > 0 && (
        <Text size="sm" c="dimmed">
          {many(hidden, 'more product')} with it: add the product by its title if it is not listed.
        </Text>
      )}
    </>
  )
}
