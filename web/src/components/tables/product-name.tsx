import { Text } from '@mantine/core'
import { VariantLink } from './variant-link.tsx'

type Props = {
  title: string
  sku: string
  /** Links to the page of the variant; left out where a link would lose what is open. */
  variantId?: string
}

/** The title and SKU of a product in a table row. */
export const ProductName = ({ title, sku, variantId }: Props) => (
  <div>
    <Text fw={550} size="sm">
      {variantId === undefined ? title : <VariantLink variantId={variantId}>{title}</VariantLink>}
    </Text>
    <Text size="xs" c="dimmed">
      {sku || 'no SKU'}
    </Text>
  </div>
)
