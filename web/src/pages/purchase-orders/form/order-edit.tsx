import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { VersionConflict } from '../../../components/forms/version-conflict.tsx'
import { useVersionedDraft } from '../../../components/forms/versioned-draft.ts'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { OrderMark } from '../order-mark.tsx'
import { draftOf, isSame, patchOf } from './draft.ts'
import { differencesOf } from './order-differences.ts'
import { OrderForm } from './order-form.tsx'

const route = getRouteApi('/purchase-orders/$id/edit')

export function OrderEdit() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /purchase-orders/:id', { params: { id } }))
  return <Loaded query={query}>{(order) => <Editor key={order.id} order={order} />}</Loaded>
}

function Editor({ order }: { order: PurchaseOrder }) {
  const { timeZone } = useSettings()
  const format = useFormat()
  const client = useQueryClient()
  const navigate = usePageNavigate()
  const params = { id: order.id }
  const latest = readQuery('GET /purchase-orders/:id', { params })
  const { base, draft, setDraft, errors, theirs, unread, isDirty, ...form } = useVersionedDraft(order, {
    draftOf: (stored) => draftOf(stored, timeZone),
    isSame,
    query: latest,
  })

  const { clear, resetTo, onRefused, onSaved } = form
  const change = useChange('PUT /purchase-orders/:id', {
    onDone: (saved) => {
      client.setQueryData(latest.queryKey, saved)
      notifyDone(`${saved.poNumber} saved`)
      // what was typed during the save is not saved yet
      if (!onSaved(saved)) return undefined
      return navigate({ to: '/purchase-orders/$id', params, ignoreBlocker: true })
    },
    onRefused,
  })
  const save = (over: PurchaseOrder) => {
    clear()
    change.mutate({ params, body: patchOf(draft, over, timeZone) })
  }
  const showTheirs = (saved: PurchaseOrder) => {
    resetTo(saved)
    change.reset()
  }

  return (
    <PageBody>
      <PageHeader
        title={`Edit ${order.poNumber}`}
        mark={<OrderMark order={base} />}
        back={{ to: `/purchase-orders/${order.id}`, name: order.poNumber }}
      />
      {theirs ? (
        <VersionConflict
          noun="order"
          differences={differencesOf(base, theirs, format)}
          isEditable={theirs.status === base.status}
          onKeep={() => save(theirs)}
          onDiscard={() => showTheirs(theirs)}
        />
      ) : (
        change.error && <ErrorNotice error={unread ?? change.error} fields={errors} />
      )}
      <OrderForm draft={draft} onChange={setDraft} errors={errors} stored={base} />
      <SaveBar
        isDirty={isDirty}
        isBusy={change.isPending}
        isBlocked={theirs !== null}
        onSave={() => save(base)}
        onDiscard={() => showTheirs(base)}
      />
    </PageBody>
  )
}
