import { Text } from '@mantine/core'

/** A product in a row: its title, and the SKU below. */
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
