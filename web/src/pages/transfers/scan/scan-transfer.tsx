import { Box, Button, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { findByCode } from '../../../components/scan/find-by-code.ts'
import { GoodsBar } from '../../../components/scan/goods/goods-bar.tsx'
import { GoodsRows } from '../../../components/scan/goods/goods-rows.tsx'
import { goodsRows, settledOf } from '../../../components/scan/goods/state.ts'
import { UncountedGoods } from '../../../components/scan/goods/uncounted-goods.tsx'
import { OneTab } from '../../../components/scan/one-tab.tsx'
import { RefusedNotice } from '../../../components/scan/refused-notice.tsx'
import { SessionNotice } from '../../../components/scan/session-notice.tsx'
import { ThumbActions } from '../../../components/scan/thumb-actions.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { Empty } from '../../../components/tables/data-list.tsx'
import { OverLines } from './over-lines.tsx'
import { receiving, type ScanStep, shipping } from './scan-steps.ts'
import { type LoadedTransfer, loadTransfer, openTransferDraft, readTransfer } from './transfer-draft.ts'

const receiveRoute = getRouteApi('/transfers/$id/scan')
const shipRoute = getRouteApi('/transfers/$id/ship/scan')

/** Receives goods in transit by scanning. */
export const ScanTransfer = () => <ScanPage id={receiveRoute.useParams().id} step={receiving} />

/** Ships goods by scanning what is picked. */
export const ScanShipment = () => <ScanPage id={shipRoute.useParams().id} step={shipping} />

type PageProps<B> = { id: number; step: ScanStep<B> }

const ScanPage = <B,>({ id, step }: PageProps<B>) => (
  <OneTab key={id} name={`scan ${step.store} ${id}`}>
    <LoadedPage id={id} step={step} />
  </OneTab>
)

function LoadedPage<B>({ id, step }: PageProps<B>) {
  const [visit] = useState(() => crypto.randomUUID())
  const query = useQuery({
    queryKey: ['scan transfer', id, visit],
    queryFn: () => loadTransfer(step, id),
    gcTime: 0,
    staleTime: 'static',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return <Loaded query={query}>{(loaded) => <Scanning loaded={loaded} />}</Loaded>
}

function Scanning<B>({ loaded }: { loaded: LoadedTransfer<B> }) {
  const { transfer, step } = loaded
  const { id, sourceLocationName } = transfer
  const { words } = step
  const { many } = useFormat()
  const navigate = usePageNavigate()
  const client = useQueryClient()
  const [draft] = useState(() =>
    openTransferDraft(loaded, {
      read: readTransfer,
      find: findByCode,
      onDone: () => {
        void client.invalidateQueries()
        notifyDone(words.done(transfer))
        void navigate({ to: '/transfers/$id', params: { id } })
      },
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
  const scanned = rows.reduce((sum, { accepted }) => sum + accepted, 0)
  const damaged = rows.reduce((sum, { rejected }) => sum + rejected, 0)
  const left = rows.reduce((sum, row) => sum + Math.max(0, row.outstanding - settledOf(row)), 0)
  const send = async (how?: { allowNegative: boolean }) => {
    setAsking(false)
    setSending(true)
    await draft.send(how)
    setSending(false)
  }
  const sendName = `${words.send} ${many(scanned, 'piece')}`
  const sendButton = (
    <Button onClick={() => setAsking(true)} loading={isSending} disabled={scanned + damaged === 0}>
      {sendName}
    </Button>
  )
  const { syncFailure, syncError } = state
  const isShort = syncError instanceof ApiError && syncError.code === 'insufficient_stock'
  return (
    <PageBody>
      <PageHeader
        title={`${words.heading} #${id}`}
        back={{ to: `/transfers/${id}`, name: `transfer #${id}` }}
        actions={<Box visibleFrom="sm">{sendButton}</Box>}
      />
      {state.document.lines.length === 0 ? (
        <>
          <Empty {...words.empty} />
          <UncountedGoods draft={draft} state={state} canExceed={false} />
        </>
      ) : (
        <>
          {syncFailure === 'refused' && isShort && (
            <Notice tone="waiting" title={`Not enough stock at ${sourceLocationName}`}>
              <Text c="#1c2024">
                {syncError.message} No stock has moved. Lower the pieces with Edit, or ship anyway; stock at{' '}
                {sourceLocationName} will go negative until you count it.
              </Text>
              <Button
                size="xs"
                mt="sm"
                variant="default"
                loading={isSending}
                onClick={() => send({ allowNegative: true })}
              >
                Ship anyway
              </Button>
            </Notice>
          )}
          {syncFailure === 'refused' && !isShort && (
            <RefusedNotice
              error={syncError}
              kept={many(state.entries.size, 'scan')}
              onRetry={() => send()}
              onDiscard={draft.discard}
              details={
                <OverLines
                  rows={rows}
                  left={words.left}
                  onLower={(row) => {
                    draft.lowerToLeft(row)
                    // the button goes away with the focus
                    field.current?.focus({ preventScroll: true })
                  }}
                />
              }
            >
              {words.discarded}
            </RefusedNotice>
          )}
          {syncFailure === 'session' && <SessionNotice onRetry={() => send()} />}
          <GoodsBar draft={draft} state={state} field={field} isLocal />
          <UncountedGoods draft={draft} state={state} canExceed={false} />
          <GoodsRows draft={draft} state={state} words={{ ...words, hasReason: false }} />
          <ThumbActions>{sendButton}</ThumbActions>
        </>
      )}
      <Confirm
        isOpen={isAsking}
        title={`${words.send} transfer #${id}?`}
        confirm={sendName}
        onConfirm={() => send()}
        onCancel={() => setAsking(false)}
      >
        {many(scanned, 'piece')} {words.effect(transfer)[scanned === 1 ? 'one' : 'many']}
        {damaged > 0 && `, ${many(damaged, 'damaged piece')} ${damaged === 1 ? 'is' : 'are'} not`}.{' '}
        {left > 0 && `${many(left, 'piece')} ${words.rest[left === 1 ? 'one' : 'many']}.`}
      </Confirm>
    </PageBody>
  )
}
