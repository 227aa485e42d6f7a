import { Box, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { GoodsBar } from '../../../components/scan/goods/goods-bar.tsx'
import { GoodsRows } from '../../../components/scan/goods/goods-rows.tsx'
import { UncountedGoods } from '../../../components/scan/goods/uncounted-goods.tsx'
import { OneTab } from '../../../components/scan/one-tab.tsx'
import { RefusedNotice } from '../../../components/scan/refused-notice.tsx'
import { SessionNotice } from '../../../components/scan/session-notice.tsx'
import { isSynced, queueFailure } from '../../../components/scan/state.ts'
import { ThumbActions } from '../../../components/scan/thumb-actions.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { ClosedOrder } from './closed-order.tsx'
import { EndedNotice } from './ended-notice.tsx'
import { loadReceipt } from './load-receipt.ts'
import { LocationNotice, needsLocation } from './location-notice.tsx'
import { OfferedDrafts } from './offered-drafts.tsx'
import { type LoadedReceipt, openReceiptDraft, type ReceiptDraft } from './receipt-draft.ts'
import { receiptRequests } from './receipt-requests.ts'
import { type ReceiptEdits, ReviewReceipt } from './review-receipt.tsx'

const route = getRouteApi('/purchase-orders/$id/scan')

/** Receives an order by scanning: every scan adds to the draft receipt of this person. */
export function ScanOrder() {
  const { id } = route.useParams()
  return (
    <OneTab key={id} name={`scan order ${id}`}>
      <LoadedOrder id={id} />
    </OneTab>
  )
}

function LoadedOrder({ id }: { id: number }) {
  const { overReceiptPercent } = useSettings()
  const [visit] = useState(() => crypto.randomUUID())
  // read anew for each visit, and only then: the answers of the scans have the changes
  const query = useQuery({
    queryKey: ['scan order', id, visit],
    queryFn: () => loadReceipt(id, overReceiptPercent),
    gcTime: 0,
    staleTime: 'static',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return <Loaded query={query}>{(loaded) => <ChosenDraft loaded={loaded} />}</Loaded>
}

function ChosenDraft({ loaded }: { loaded: LoadedReceipt }) {
  const [chosen, setChosen] = useState(loaded.offered.length > 0 ? null : loaded)
  const { orderId, poNumber, status, stores } = loaded
  // scans that are on this device alone are saved to the draft first
  const [hasUnsaved] = useState(() =>
    [stores.entries, stores.scans, stores.sending].some((store) => store.all().length > 0),
  )
  if (status !== 'sent' && status !== 'partial' && !hasUnsaved)
    return <ClosedOrder {...{ orderId, poNumber, status }} />
  if (chosen) return <Scanning loaded={chosen} />
  return <OfferedDrafts loaded={loaded} onChoose={(receipt) => setChosen({ ...loaded, receipt })} />
}

function Scanning({ loaded }: { loaded: LoadedReceipt }) {
  const { orderId: id, poNumber, currency } = loaded
  const { many } = useFormat()
  const { step } = route.useSearch()
  const navigate = route.useNavigate()
  const [draft] = useState(() => openReceiptDraft(loaded, receiptRequests(id)))
  const state = useSyncExternalStore(draft.subscribe, draft.state)
  const field = useRef<HTMLInputElement>(null)
  const { isReviewing, review } = useReview(draft, id)
  const [isPosted, setPosted] = useState(false)
  const [edits, setEdits] = useState<ReceiptEdits>({})
  useEffect(() => {
    draft.start()
    return draft.stop
  }, [draft])

  const isWithoutLocation = needsLocation(state.syncError)
  const reviewButton = (
    <Button onClick={review} loading={isReviewing} disabled={state.entries.size === 0 && !state.receipt}>
      Review
    </Button>
  )
  return (
    <PageBody>
      {state.ended && <EndedNotice ended={state.ended} onRead={draft.acknowledge} />}
      {step === 'review' && state.receipt ? (
        <ReviewReceipt
          {...{ draft, state, poNumber, currency, orderId: id }}
          receipt={state.receipt}
          edits={edits}
          onEdit={setEdits}
          onPosted={() => setPosted(true)}
        />
      ) : (
        <>
          <PageHeader
            title={`Scan ${poNumber}`}
            back={{ to: `/purchase-orders/${id}`, name: poNumber }}
            actions={<Box visibleFrom="sm">{reviewButton}</Box>}
          />
          <LocationNotice
            draft={draft}
            isAsked={state.syncFailure === 'refused' && isWithoutLocation}
            onStored={() => field.current?.focus()}
          />
          {state.syncFailure === 'refused' && !isWithoutLocation && (
            <RefusedNotice
              error={state.syncError}
              kept={many(state.entries.size, 'scan')}
              onRetry={() => void draft.syncNow()}
              onDiscard={draft.discard}
            >
              These pieces are not in the receipt then. Scan them again.
            </RefusedNotice>
          )}
          {queueFailure(state) === 'session' && <SessionNotice onRetry={() => void draft.syncNow()} />}
          <GoodsBar draft={draft} state={state} field={field} />
          <UncountedGoods
            draft={draft}
            state={state}
            canExceed
            openElsewhere={(other) =>
              navigate({ to: '/purchase-orders/$id/scan', params: { id: other.id }, search: {} })
            }
          />
          <GoodsRows draft={draft} state={state} words={{ ...words, currency }} />
          <ThumbActions>{reviewButton}</ThumbActions>
        </>
      )}
      <UnsavedGuard when={!isPosted && !isSynced(state)}>
        Your last scans are not saved yet. They stay on this device, and are saved when you open this page
        here again.
      </UnsavedGuard>
    </PageBody>
  )
}

const words = { accepted: 'Accepted', rejected: 'Rejected', hasReason: true }

/** Opens the review when everything is saved. */
function useReview(draft: ReceiptDraft, id: number) {
  const navigate = usePageNavigate()
  const [isReviewing, setReviewing] = useState(false)
  const review = async () => {
    setReviewing(true)
    const isDone = await draft.syncNow()
    setReviewing(false)
    if (isDone)
      await navigate({ to: '/purchase-orders/$id/scan', params: { id }, search: { step: 'review' } })
  }
  return { isReviewing, review }
}
