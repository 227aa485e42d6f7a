import { Text } from '@mantine/core'
import { VariantLink } from './variant-link.tsx'

type Props = {
  title: string
  sku: string
  /** Links to the page of the variant; left out where a link would lose what is open. */
  variantId?: string
  /** Where it lies; empty: no bin. */
  bin?: string
}

/** The title and SKU of a product in a table row. */
export const ProductName = ({ title, sku, variantId, bin }: Props) => (
  <div>
    <Text fw={550} size="sm">
      {variantId === undefined ? title : <VariantLink variantId={variantId}>{title}</VariantLink>}
    </Text>
    <Text size="xs" c="dimmed">
      {sku || 'no SKU'}
      {bin && (
        <>
          {' · Bin '}
          <strong>{bin}</strong>
        </>
      )}
    </Text>
  </div>
)
