import { Button, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'

/** What is missing to the supplier's minimum, with a button that fills the gap, and to free freight. */
export function SupplierMinimum({ order }: { order: PurchaseOrder }) {
  const format = useFormat(order.currency)
  const client = useQueryClient()
  const params = { id: order.id }
  const topUp = useChange('POST /purchase-orders/:id/top-up', {
    onDone: ({ added }) => {
      const pieces = added.reduce((sum, { addedQuantity }) => sum + addedQuantity, 0)
      notifyDone(`${format.many(pieces, 'piece')} added`)
      return client.invalidateQueries({
        queryKey: readQuery('GET /purchase-orders/:id', { params }).queryKey,
      })
    },
    onRefused: notifyRefused,
  })
  const { supplierMinimum, supplierMinimumQuantity, freeFreight, version } = order
  const gaps = [
    ...(supplierMinimum?.shortBy
      ? [`${format.money(supplierMinimum.shortBy)} short of the supplier’s minimum`]
      : []),
    ...(supplierMinimumQuantity?.shortBy
      ? [`${format.many(supplierMinimumQuantity.shortBy, 'piece')} short of the supplier’s minimum`]
      : []),
  ]
  const isNearFreeFreight = gaps.length === 0 && (freeFreight?.shortBy ?? 0) > 0
  if (gaps.length === 0 && !isNearFreeFreight) return null
  return (
    <Stack gap="xs" mt="md" align="flex-start">
      {gaps.map((gap) => (
        <Text key={gap} size="sm" fw={550}>
          {gap}
        </Text>
      ))}
      {gaps.length > 0 && order.lineItems.length > 0 && (
        <Button
          variant="default"
          size="xs"
          loading={topUp.isPending}
          onClick={() => topUp.mutate({ params, body: { version } })}
        >
          Top up
        </Button>
      )}
      {isNearFreeFreight && (
        <>
          <Text size="sm" c="dimmed">
            {format.money(freeFreight?.shortBy ?? 0)} more for free freight
          </Text>
          {order.status === 'draft' && order.lineItems.length > 0 && (
            <Button
              variant="default"
              size="xs"
              loading={topUp.isPending}
              onClick={() => topUp.mutate({ params, body: { version, to: 'free_freight' } })}
            >
              Fill up to free freight
            </Button>
          )}
        </>
      )}
    </Stack>
  )
}
