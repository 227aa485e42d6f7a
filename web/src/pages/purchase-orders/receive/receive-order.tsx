import { Button, SimpleGrid, TextInput } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt } from '../../../../../shared/schemas/receipts.ts'
import { readQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { type FieldErrors, withoutErrorsOf } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton, TextLink } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useArrivalLocation } from '../../../components/pickers/arrival-location.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import {
  allOutstanding,
  countsOf,
  emptyCount,
  errorsOf,
  isCounted,
  type LineCounts,
  linesOf,
} from './line-counts.ts'
import { isOverReceipt, OverReceiptDialog } from './over-receipt-dialog.tsx'
import { ReceiveLines } from './receive-lines.tsx'
import { useReceipt } from './use-receipt.ts'

const route = getRouteApi('/purchase-orders/$id/receive')

export function ReceiveOrder() {
  const { id } = route.useParams()
  const { draft: receiptId } = route.useSearch()
  const query = useQuery(readQuery('GET /purchase-orders/:id', { params: { id } }))
  return (
    <Loaded query={query}>
      {(order) =>
        receiptId === undefined ? (
          <Receiving key={order.id} order={order} draft={null} />
        ) : (
          <Continued order={order} receiptId={receiptId} />
        )
      }
    </Loaded>
  )
}

function Continued({ order, receiptId }: { order: PurchaseOrder; receiptId: number }) {
  const params = { id: order.id, receiptId }
  const query = useQuery(readQuery('GET /purchase-orders/:id/receipts/:receiptId', { params }))
  return <Loaded query={query}>{(draft) => <Receiving key={draft.id} order={order} draft={draft} />}</Loaded>
}

/** Records what arrived of each line, and saves it as a draft or as a receipt. */
function Receiving({ order, draft }: { order: PurchaseOrder; draft: OrderReceipt | null }) {
  const navigate = usePageNavigate()
  const start = {
    ...{ counts: draft ? countsOf(draft) : {}, locationId: draft?.locationId ?? order.destinationLocationId },
    words: { deliveryNote: draft?.deliveryNote ?? '', notes: draft?.notes ?? '' },
  }
  const [counts, setCounts] = useState<LineCounts>(start.counts)
  const [isEdited, setEdited] = useState(false)
  const [locationId, setLocationId] = useState(start.locationId)
  const [words, setWords] = useState(start.words)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { arrivalLocationId, isLoading } = useArrivalLocation(locationId)

  const lines = linesOf(order, counts)
  const counted = lines.filter(isCounted)
  const receipt = useReceipt(order, draft)
  const save = async (how: 'draft' | 'post', allowOverReceipt = false) => {
    setErrors({})
    try {
      const body = { lines, locationId: arrivalLocationId, ...words }
      const status = await receipt.save(body, how === 'post' ? { allowOverReceipt } : null)
      if (status === null) return
      if (status === 'draft') notifyDone('Draft saved')
      else notifyDone(status === 'received' ? `${order.poNumber} fully received` : 'Items received')
      await navigate({ to: '/purchase-orders/$id', params: { id: order.id }, ignoreBlocker: true })
    } catch (error) {
      setErrors(errorsOf(error, order))
    }
  }
  const change = (changed: LineCounts, paths: readonly string[]) => {
    setEdited(true)
    setCounts(changed)
    setErrors((now) => paths.reduce(withoutErrorsOf, now))
  }
  const discard = async () => {
    if (!(await receipt.discard())) return
    setCounts(start.counts)
    setLocationId(start.locationId)
    setWords(start.words)
    setErrors({})
    setEdited(false)
  }
  const isPosted = draft?.state === 'posted'
  return (
    <PageBody>
      <PageHeader
        title={`Receive ${order.poNumber}`}
        back={{ to: `/purchase-orders/${order.id}`, name: order.poNumber }}
        actions={
          <LinkButton
            variant="default"
            to="/purchase-orders/$id/scan"
            params={{ id: order.id }}
            leftSection={<IconBarcode size={16} />}
          >
            Receive by scanning
          </LinkButton>
        }
      />
      {isPosted && (
        <Notice tone="waiting" title="This receipt was posted">
          Its items are in stock. Go back to the order to see it, or to undo it.
        </Notice>
      )}
      {order.rate === null && (
        <Notice tone="waiting" title={`The rate of ${order.currency} is missing`}>
          Without it, this receipt does not change the cost of the products.{' '}
          <TextLink to="/purchase-orders/$id/edit" params={{ id: order.id }}>
            Enter the rate
          </TextLink>{' '}
          first.
        </Notice>
      )}
      {receipt.error && !isOverReceipt(receipt.error) && (
        <ErrorNotice error={receipt.error} fields={errors} />
      )}
      <FormLock isBusy={receipt.isBusy}>
        <Card
          isFlush
          title="Items to receive"
          action={
            <Button
              variant="default"
              size="xs"
              onClick={() =>
                change(
                  allOutstanding(order, counts),
                  order.lineItems.map(({ id }) => `${id}.accepted`),
                )
              }
            >
              Receive all
            </Button>
          }
        >
          <ReceiveLines
            order={order}
            counts={counts}
            errors={errors}
            onChange={(id, changes) =>
              change(
                { ...counts, [id]: { ...(counts[id] ?? emptyCount), ...changes } },
                [...Object.keys(changes), 'lineItemId'].map((field) => `${id}.${field}`),
              )
            }
          />
        </Card>
        <Card>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <LocationPicker
              label="Received at"
              value={arrivalLocationId}
              onChange={(id) => {
                setEdited(true)
                setLocationId(id)
                setErrors((now) => withoutErrorsOf(now, 'locationId'))
              }}
              error={errors.locationId}
            />
            {(['deliveryNote', 'notes'] as const).map((name) => (
              <TextInput
                key={name}
                label={name === 'deliveryNote' ? 'Delivery note' : 'Notes'}
                placeholder={name === 'deliveryNote' ? 'Number on the note' : 'Only for you'}
                maxLength={name === 'deliveryNote' ? 200 : 5000}
                value={words[name]}
                onChange={({ currentTarget: { value } }) => {
                  setEdited(true)
                  setWords((now) => ({ ...now, [name]: value }))
                  setErrors((now) => withoutErrorsOf(now, name))
                }}
                error={errors[name]}
              />
            ))}
          </SimpleGrid>
        </Card>
      </FormLock>
      <OverReceiptDialog
        order={order}
        counted={counted}
        error={receipt.error}
        isBusy={receipt.isBusy}
        onConfirm={() => save('post', true)}
        onCancel={receipt.reset}
      />
      <SaveBar
        isNew
        isDirty={isEdited && !receipt.isSaved}
        isBusy={receipt.isBusy}
        isBlocked={counted.length === 0 || isPosted || isLoading}
        save="Save receipt"
        {...(!isPosted && { other: 'Save as draft' })}
        onOther={() => save('draft')}
        onSave={() => save('post')}
        onDiscard={discard}
      />
    </PageBody>
  )
}
