import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { ApiError } from '../../../api/api-error.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { QuantityField } from '../../../components/forms/quantity-field.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { OverReceiptDialog } from './over-receipt-dialog.tsx'

const route = getRouteApi('/purchase-orders/$id/receive')

export function ReceiveOrder() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /purchase-orders/:id', { params: { id } }))
  return <Loaded query={query}>{(order) => <Receiving key={order.id} order={order} />}</Loaded>
}

/** Records the received quantity of each line. */
function Receiving({ order }: { order: PurchaseOrder }) {
  const format = useFormat()
  const navigate = useNavigate()
  const params = { id: order.id }
  const [received, setReceived] = useState<Record<number, number | ''>>({})
  const [locationId, setLocationId] = useState<string | null>(order.destinationLocationId)
  const [notes, setNotes] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const locations = useQuery({ ...readQuery('GET /locations', {}), staleTime: 60_000 })
  const chosenLocationId =
    locationId ?? locations.data?.find(({ isPrimary }) => isPrimary)?.locationId ?? null

  const lineItems = order.lineItems.flatMap(({ id }) => {
    const quantityReceived = Number(received[id] ?? 0)
    return quantityReceived > 0 ? [{ lineItemId: id, quantityReceived }] : []
  })
  const receive = useChange('POST /purchase-orders/:id/receive', {
    onDone: ({ status }) => {
      notifyDone(status === 'received' ? `${order.poNumber} fully received` : 'Items received')
      return navigate({ to: '/purchase-orders/$id', params, ignoreBlocker: true })
    },
    onRefused: (error) => setErrors(errorsByLine(error, lineItems)),
  })
  const submit = (allowOverReceipt: boolean) => {
    setErrors({})
    receive.mutate({
      params,
      body: { lineItems, locationId: chosenLocationId, notes, ...(allowOverReceipt && { allowOverReceipt }) },
    })
  }
  const receiveAll = () =>
    setReceived(
      Object.fromEntries(
        order.lineItems.map(({ id, outstandingQuantity }) => [id, outstandingQuantity || '']),
      ),
    )
  const isOver = receive.error instanceof ApiError && receive.error.code === 'over_receipt'

  return (
    <PageBody>
      <PageHeader
        title={`Receive ${order.poNumber}`}
        back={{ to: `/purchase-orders/${order.id}`, name: order.poNumber }}
        actions={
          <Button onClick={() => submit(false)} loading={receive.isPending} disabled={lineItems.length === 0}>
            Save receipt
          </Button>
        }
      />
      {order.rate === null && (
        <Notice tone="waiting" title={`The rate of ${order.currency} is missing`}>
          Without it, this receipt does not change the cost of the products.{' '}
          <TextLink to="/purchase-orders/$id/edit" params={params}>
            Enter the rate
          </TextLink>{' '}
          first.
        </Notice>
      )}
      {receive.error && !isOver && <ErrorNotice error={receive.error} />}
      <Card
        isFlush
        title="Items to receive"
        action={
          <Button variant="default" size="xs" onClick={receiveAll}>
            Receive all
          </Button>
        }
      >
        <RowTable
          label="Items to receive"
          rows={order.lineItems}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'Product',
              cell: ({ title, sku, variantId, bin }) => (
                <ProductName title={title} sku={sku} variantId={variantId} bin={bin} />
              ),
            },
            {
              name: 'Ordered',
              cell: ({ quantity, packs, packSize }) => (
                <div>
                  {format.count(quantity)}
                  {packSize > 1 && packs !== null && (
                    <Text size="xs" c="dimmed">{`${format.count(packs)} × ${format.count(packSize)}`}</Text>
                  )}
                </div>
              ),
              isNumber: true,
            },
            {
              name: 'Outstanding',
              cell: ({ outstandingQuantity }) => format.count(outstandingQuantity),
              isNumber: true,
            },
            {
              name: 'Received now',
              isNumber: true,
              cell: ({ id, title }) => (
                <QuantityField
                  label={`Quantity received of ${title}`}
                  value={received[id] ?? ''}
                  onChange={(quantity) => setReceived((now) => ({ ...now, [id]: quantity }))}
                  placeholder="0"
                  error={errors[id]}
                />
              ),
            },
          ]}
        />
      </Card>
      <Card>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <LocationPicker
            label="Received at"
            value={chosenLocationId}
            onChange={setLocationId}
            error={errors.locationId}
          />
          <TextInput
            label="Notes"
            placeholder="Delivery note number, damage …"
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
            error={errors.notes}
          />
        </SimpleGrid>
      </Card>
      <Group justify="flex-end" hiddenFrom="sm">
        <Button onClick={() => submit(false)} loading={receive.isPending} disabled={lineItems.length === 0}>
          Save receipt
        </Button>
      </Group>
      <OverReceiptDialog
        isOpen={isOver}
        order={order}
        received={lineItems}
        isBusy={receive.isPending}
        onConfirm={() => submit(true)}
        onCancel={() => receive.reset()}
      />
      <UnsavedGuard when={lineItems.length > 0 && !receive.isSuccess} />
    </PageBody>
  )
}

/**
 * Adds the errors of lines by line id. The API names a line by its index in the request, which contains only the lines
 * with a received quantity.
 */
function errorsByLine(error: unknown, lines: readonly { lineItemId: number }[]): FieldErrors {
  const byField = fieldErrors(error)
  for (const [index, { lineItemId }] of lines.entries()) {
    const message = byField[`lineItems.${index}.quantityReceived`] ?? byField[`lineItems.${index}.lineItemId`]
    if (message) byField[lineItemId] = message
  }
  return byField
}
