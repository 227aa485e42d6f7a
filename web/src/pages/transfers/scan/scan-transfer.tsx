import { Box, Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { GoodsBar } from '../../../components/scan/goods/goods-bar.tsx'
import { GoodsRows } from '../../../components/scan/goods/goods-rows.tsx'
import { goodsRows } from '../../../components/scan/goods/state.ts'
import { UncountedGoods } from '../../../components/scan/goods/uncounted-goods.tsx'
import { OneTab } from '../../../components/scan/one-tab.tsx'
import { RefusedNotice } from '../../../components/scan/refused-notice.tsx'
import { SessionNotice } from '../../../components/scan/session-notice.tsx'
import { ThumbActions } from '../../../components/scan/thumb-actions.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { Empty } from '../../../components/tables/data-list.tsx'
import { type LoadedTransfer, loadTransfer, openTransferDraft } from './transfer-goods.ts'

const route = getRouteApi('/transfers/$id/scan')

/** Receives goods in transit by scanning. */
export function ScanTransfer() {
  const { id } = route.useParams()
  return (
    <OneTab key={id} name={`scan transfer ${id}`}>
      <LoadedPage id={id} />
    </OneTab>
  )
}

function LoadedPage({ id }: { id: number }) {
  const [visit] = useState(() => crypto.randomUUID())
  const query = useQuery({
    queryKey: ['scan transfer', id, visit],
    queryFn: () => loadTransfer(id),
    gcTime: 0,
    staleTime: 'static',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return <Loaded query={query}>{(loaded) => <Scanning loaded={loaded} />}</Loaded>
}

function Scanning({ loaded }: { loaded: LoadedTransfer }) {
  const { id, destinationLocationName } = loaded.transfer
  const { many } = useFormat()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [draft] = useState(() =>
    openTransferDraft(loaded, () => {
      void client.invalidateQueries()
      notifyDone('Items received')
      void navigate({ to: '/transfers/$id', params: { id } })
    }),
  )
  const state = useSyncExternalStore(draft.subscribe, draft.state)
  const field = useRef<HTMLInputElement>(null)
  const [isAsking, setAsking] = useState(false)
  const [isSending, setSending] = useState(false)
  useEffect(() => {
    draft.start()
    return draft.stop
  }, [draft])

  const rows = goodsRows(state)
  const received = rows.reduce((sum, { accepted }) => sum + accepted, 0)
  const damaged = rows.reduce((sum, { rejected }) => sum + rejected, 0)
  const left = rows.reduce((sum, { outstanding }) => sum + outstanding, 0) - received - damaged
  const receive = async () => {
    setAsking(false)
    setSending(true)
    await draft.receive()
    setSending(false)
  }
  const receiveButton = (
    <Button onClick={() => setAsking(true)} loading={isSending} disabled={received + damaged === 0}>
      Receive {many(received, 'piece')}
    </Button>
  )
  return (
    <PageBody>
      <PageHeader
        title={`Scan transfer #${id}`}
        back={{ to: `/transfers/${id}`, name: `transfer #${id}` }}
        actions={<Box visibleFrom="sm">{receiveButton}</Box>}
      />
      {state.document.lines.length === 0 ? (
        <Empty title="Nothing is in transit" text="Go back to the transfer, and ship its goods first." />
      ) : (
        <>
          {state.syncFailure === 'refused' && (
            <RefusedNotice
              error={state.syncError}
              kept={many(state.entries.size, 'scan')}
              onRetry={receive}
              onDiscard={draft.discard}
            >
              These pieces stay in transit then. Scan them again.
            </RefusedNotice>
          )}
          {state.syncFailure === 'session' && <SessionNotice onRetry={receive} />}
          <GoodsBar draft={draft} state={state} field={field} isLocal />
          <UncountedGoods draft={draft} state={state} canExceed={false} />
          <GoodsRows draft={draft} state={state} words={words} />
          <ThumbActions>{receiveButton}</ThumbActions>
        </>
      )}
      <Confirm
        isOpen={isAsking}
        title={`Receive transfer #${id}?`}
        confirm={`Receive ${many(received, 'piece')}`}
        onConfirm={receive}
        onCancel={() => setAsking(false)}
      >
        {many(received, 'piece')} {received === 1 ? 'is' : 'are'} added at {destinationLocationName}
        {damaged > 0 && `, ${many(damaged, 'damaged piece')} ${damaged === 1 ? 'is' : 'are'} not`}.{' '}
        {left > 0 && `${many(left, 'piece')} ${left === 1 ? 'stays' : 'stay'} in transit.`}
      </Confirm>
    </PageBody>
  )
}

const words = { accepted: 'Received', rejected: 'Damaged', hasReason: false }
