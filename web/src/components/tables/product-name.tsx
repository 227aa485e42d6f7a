import { Text } from '@mantine/core'

/** The title and SKU of a product in a table row. */
export const ProductName = ({ title, sku }: { title: string; sku: string }) => (
  <div>
    <Text fw={550} size="sm">
      {title}
    </Text>
    <Text size="xs" c="dimmed">
      {sku || 'no SKU'}
    </Text>
  </div>
)
