import { Alert, List } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'

/** Names the lines of a draft that the supplier does not accept as they are. */
export const OrderWarnings = ({ order }: { order: PurchaseOrder }) => (
  <Alert color="yellow" title="Check these quantities" m="md" mt={0}>
    <List size="sm">
      {order.warnings.map(({ path, message }) => (
        <List.Item key={path}>
          {order.lineItems[Number(path.split('/')[2])]?.title}: {message}
        </List.Item>
      ))}
    </List>
  </Alert>
)
