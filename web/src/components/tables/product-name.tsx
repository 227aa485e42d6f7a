import { Text } from '@mantine/core'

/** A product in a row, with what a person tells it apart by. */
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
