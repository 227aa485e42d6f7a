import { Button, SimpleGrid } from '@mantine/core'
import { IconBarcode } from '@tabler/icons-react'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { OrderReceipt } from '../../../../../shared/schemas/receipts.ts'
import { readQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { DeliveryFields } from '../../../components/forms/delivery-fields.tsx'
import { type FieldErrors, withoutErrorsOf } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { VersionConflict } from '../../../components/forms/version-conflict.tsx'
import { useVersionedDraft } from '../../../components/forms/versioned-draft.ts'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton, TextLink } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useArrivalLocation } from '../../../components/pickers/arrival-location.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { readDraft } from '../read-draft.ts'
import {
  allOutstanding,
  emptyCount,
  errorsOf,
  formOf,
  isCounted,
  isSameForm,
  linesOf,
  type ReceiptForm,
} from './line-counts.ts'
import { isOverReceipt } from './over-lines.ts'
import { OverReceiptDialog } from './over-receipt-dialog.tsx'
import { differencesOf } from './receipt-differences.ts'
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

type Received = { order: PurchaseOrder; draft: OrderReceipt | null }

/** What arrived of each line, as typed and as stored, and what the buttons of the page do with it. */
function useReceiving({ order, draft }: Received) {
  const navigate = usePageNavigate()
  const baseId = useRef(draft?.id)
  const {
    base,
    draft: form,
    setDraft: setForm,
    theirs,
    ...versions
  } = useVersionedDraft<OrderReceipt | null, ReceiptForm, QueryKey>(draft, {
    draftOf: (stored) => formOf(order, stored),
    isSame: (one, other) => isSameForm(order, one, other),
    query: {
      queryKey: ['draft of a receipt', order.id],
      queryFn: () =>
        baseId.current === undefined ? null : readDraft({ id: baseId.current, purchaseOrderId: order.id }),
    },
  })
  const { counts, locationId } = form
  const [errors, setErrors] = useState<FieldErrors>({})
  /** What was pressed last. */
  const [how, setHow] = useState<'draft' | 'post' | 'discard'>('draft')
  const [wasPosted, setWasPosted] = useState(false)
  const { arrivalLocationId, isLoading } = useArrivalLocation(locationId)

  const lines = linesOf(order, counts)
  const counted = lines.filter(isCounted)
  const receipt = useReceipt(order, (stored) => {
    baseId.current = stored.id
    versions.onSaved(stored)
  })
  /** The draft that Discard deletes: one that was not there before, in a version of this page. */
  const created = draft === null && receipt.isOwn(base) ? base : null
  // `base` stays the draft that was read first while something is typed
  const newest = base && draft?.id === base.id && draft.version > base.version ? draft : (base ?? draft)
  const isEdited = !isSameForm(order, form, formOf(order, created ? null : newest))
  const save = async (how: 'draft' | 'post', { over = base, allowOverReceipt = false } = {}) => {
    setErrors({})
    setHow(how)
    setWasPosted(false)
    versions.clear()
    try {
      const { deliveryNote, notes } = form
      const body = { lines, locationId: arrivalLocationId, deliveryNote, notes }
      const status = await receipt.save(body, how === 'post' ? { allowOverReceipt } : null, over)
      if (status === null) return
      if (status === 'draft') notifyDone('Draft saved')
      else notifyDone(status === 'received' ? `${order.poNumber} fully received` : 'Items received')
      await navigate({ to: '/purchase-orders/$id', params: { id: order.id }, ignoreBlocker: true })
    } catch (error) {
      setErrors(errorsOf(error, order))
      await versions.onRefused(error)
    }
  }
  const change = (changed: Partial<ReceiptForm>, paths: readonly string[]) => {
    setForm((now) => ({ ...now, ...changed }))
    setErrors((now) => paths.reduce(withoutErrorsOf, now))
  }
  const showStored = (stored: OrderReceipt | null) => {
    versions.resetTo(stored)
    baseId.current = stored?.id
    setErrors({})
  }
  const discard = async (deleted = created) => {
    setHow('discard')
    versions.clear()
    try {
      setWasPosted(await receipt.discard(deleted))
      showStored(deleted ? null : newest)
    } catch (error) {
      await versions.onRefused(error)
    }
  }
  const isPosted = newest?.state === 'posted'
  return {
    ...{ base, form, theirs, unread: versions.unread, errors, how, wasPosted, isPosted },
    ...{ receipt, counted, newest, isEdited, arrivalLocationId },
    isBlocked: counted.length === 0 || isPosted || isLoading || theirs !== null,
    ...{ change, save, discard },
    takeTheirs: async (stored: OrderReceipt) => {
      await receipt.discard(null)
      showStored(stored)
    },
  }
}

/** Records what arrived of each line, and saves it as a draft or as a receipt. */
function Receiving({ order, draft }: Received) {
  const format = useFormat(order.currency)
  const receiving = useReceiving({ order, draft })
  const { base, form, theirs, errors, how, wasPosted, isPosted, receipt, counted, isEdited } = receiving
  const { change, save, discard } = receiving
  const { counts } = form
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
      <ReceiptNotices {...{ order, isPosted, wasPosted }} />
      {theirs ? (
        <VersionConflict
          {...(how === 'discard'
            ? {
                noun: 'draft',
                refused: 'It is not deleted.',
                keep: 'Delete the draft anyway',
                discard: 'Keep the draft',
                onKeep: () => discard(theirs),
              }
            : { noun: 'receipt', onKeep: () => save(how, { over: theirs }) })}
          differences={differencesOf(base, theirs, format)}
          isEditable={theirs.state === 'draft'}
          onDiscard={() => receiving.takeTheirs(theirs)}
        />
      ) : (
        receipt.error &&
        !isOverReceipt(receipt.error) && (
          <ErrorNotice error={receiving.unread ?? receipt.error} fields={errors} />
        )
      )}
      <FormLock isBusy={receipt.isBusy}>
        <ItemsToReceive {...{ order, counts, errors, change }} />
        <Card>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <LocationPicker
              label="Received at"
              value={receiving.arrivalLocationId}
              onChange={(id) => change({ locationId: id }, ['locationId'])}
              error={errors.locationId}
            />
            <DeliveryFields
              value={form}
              errors={errors}
              onChange={(changed) => change(changed, Object.keys(changed))}
            />
          </SimpleGrid>
        </Card>
      </FormLock>
      <OverReceiptDialog
        order={order}
        counted={counted}
        error={receipt.error}
        isBusy={receipt.isBusy}
        onConfirm={() => save('post', { allowOverReceipt: true })}
        onCancel={receipt.reset}
      />
      <SaveBar
        isNew
        isDirty={isEdited && !receipt.isSaved}
        isBusy={receipt.isBusy}
        isBlocked={receiving.isBlocked}
        save="Save receipt"
        state={receiving.newest?.state === 'draft' && !isEdited ? 'Draft saved' : undefined}
        {...(!isPosted && !theirs && { other: 'Save as draft' })}
        isOtherBlocked={counted.length === 0 && !isEdited}
        onOther={() => save('draft')}
        onSave={() => save('post')}
        onDiscard={() => discard()}
      />
    </PageBody>
  )
}

type NoticeProps = { order: PurchaseOrder; isPosted: boolean; wasPosted: boolean }

const ReceiptNotices = ({ order, isPosted, wasPosted }: NoticeProps) => (
  <>
    {isPosted && (
      <Notice tone="waiting" title="This receipt was posted">
        Its items are in stock. Go back to the order to see it, or to undo it.
      </Notice>
    )}
    {wasPosted && (
      <Notice tone="waiting" title="The draft was posted in the meantime">
        Its items are in stock, so it was not deleted. Go back to the order to see it, or to undo it.
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
  </>
)

type ItemProps = {
  order: PurchaseOrder
  counts: ReceiptForm['counts']
  errors: FieldErrors
  change: (changed: Partial<ReceiptForm>, paths: readonly string[]) => void
}

const ItemsToReceive = ({ order, counts, errors, change }: ItemProps) => (
  <Card
    isFlush
    title="Items to receive"
    action={
      <Button
        variant="default"
        size="xs"
        onClick={() =>
          change(
            { counts: allOutstanding(order, counts) },
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
          { counts: { ...counts, [id]: { ...(counts[id] ?? emptyCount), ...changes } } },
          [...Object.keys(changes), 'lineItemId'].map((field) => `${id}.${field}`),
        )
      }
    />
  </Card>
)
