import { Text } from '@mantine/core'
import type { PurchaseOrder } from '../../../../shared/schemas/purchase-orders.ts'
import { useFormat } from '../shop/format.ts'

type Props = Pick<PurchaseOrder, 'total' | 'currency' | 'unknownCosts'> &
  Partial<Pick<PurchaseOrder, 'isClosedShort' | 'receivedValue'>>

/** The total of an order in a table: what it leaves out, and what arrived of an order that was closed short. */
export function OrderTotal({ total, currency, unknownCosts, isClosedShort, receivedValue = 0 }: Props) {
  const format = useFormat(currency)
  return (
    <div>
      {format.money(total)}
      {unknownCosts > 0 && (
        <Text size="xs" c="dimmed">{`+ ${format.many(unknownCosts, 'line')} without cost`}</Text>
      )}
      {isClosedShort && <Text size="xs" c="dimmed">{`${format.money(receivedValue)} received`}</Text>}
    </div>
  )
}
