import { Button, Menu, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { Notes } from '../../../components/layout/detail.tsx'
import { MoreMenu } from '../../../components/layout/more-menu.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { RefusedNotice } from '../../../components/scan/refused-notice.tsx'
import { SessionNotice } from '../../../components/scan/session-notice.tsx'
import { isSynced, queueFailure } from '../../../components/scan/state.ts'
import { ThumbActions } from '../../../components/scan/thumb-actions.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CancelDialog } from '../list/cancel-dialog.tsx'
import { CountStatusBadge } from '../list/count-status.tsx'
import { isCountBlind, type LoadedCount, setCountBlind } from '../offline/local-count.ts'
import { useCountDraft } from '../offline/use-draft.ts'
import { LateEntries } from '../result/late-entries.tsx'
import { CountBar } from './count-bar.tsx'
import { CountRows } from './count-rows.tsx'
import { UncountedScans } from './uncounted-scans.tsx'

/** A count in progress. Numbers are saved in the background. */
export function Counting({ loaded }: { loaded: LoadedCount }) {
  const { count: stored } = loaded
  const { id, locationName, notes } = stored
  const navigate = usePageNavigate()
  const { many } = useFormat()
  const { draft, state } = useCountDraft(loaded)
  const scanField = useRef<HTMLInputElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const [isHiddenHere, setHiddenHere] = useState(() => isCountBlind(id))
  const isBlind = stored.blind || isHiddenHere
  const isRecount = stored.phase === 'recounting'
  // the review of these shows what is expected, so it begins when counting ends
  const mustFinish = stored.blind || isRecount
  const [isFinishing, setFinishing] = useState(false)
  const finish = useChange('POST /stock-counts/:id/finish', {
    onDone: () => navigate({ to: '/counts/$id/review', params: { id }, ignoreBlocker: true }),
  })
  const [isCancelling, setCancelling] = useState(false)
  const [isSyncing, setSyncing] = useState(false)
  const [wasUnsaved, setWasUnsaved] = useState(false)
  const isSaved = isSynced(state)

  const review = async () => {
    setSyncing(true)
    const isDone = await draft.syncNow()
    setSyncing(false)
    setWasUnsaved(!isDone)
    if (!isDone) return
    if (mustFinish) setFinishing(true)
    else await navigate({ to: '/counts/$id/review', params: { id } })
  }
  const toggleBlind = () => {
    setCountBlind(id, !isHiddenHere)
    setHiddenHere(!isHiddenHere)
  }
  return (
    <PageBody>
      <PageHeader
        title={`Count #${id}: ${locationName}`}
        mark={<CountStatusBadge phase={stored.phase} />}
        back={{ to: '/counts', name: 'Counts' }}
        actions={
          <>
            <MoreMenu button={more}>
              {!stored.blind && (
                <Menu.Item onClick={toggleBlind}>
                  {isHiddenHere ? 'Show expected quantities' : 'Count blind on this device'}
                </Menu.Item>
              )}
              <Menu.Item color="red.9" onClick={() => setCancelling(true)}>
                Cancel the count
              </Menu.Item>
            </MoreMenu>
            <Button onClick={review} loading={isSyncing}>
              {mustFinish ? 'Finish counting' : 'Review'}
            </Button>
          </>
        }
      />
      {state.syncFailure === 'refused' && (
        <RefusedNotice
          error={state.syncError}
          kept={many(state.entries.size, 'number')}
          onRetry={() => void draft.syncNow()}
          onDiscard={draft.discard}
        >
          These products go back to their last saved number. Count them again.
        </RefusedNotice>
      )}
      {queueFailure(state) === 'session' && <SessionNotice onRetry={() => void draft.syncNow()} />}
      {wasUnsaved && !isSaved && queueFailure(state) === 'retrying' && (
        <Notice tone="waiting" title="Not everything is saved yet">
          <Text c="#1c2024">
            Keep this page open: saving continues in the background. Review the count when it shows “Saved”.
          </Text>
        </Notice>
      )}
      {isRecount && (
        <Notice tone="waiting" title="Recount">
          <Text c="#1c2024">Count these products again. Another user must recount each product.</Text>
        </Notice>
      )}
      <LateEntries loaded={loaded} />
      <CountBar draft={draft} state={state} field={scanField} />
      <UncountedScans draft={draft} state={state} />
      <CountRows draft={draft} state={state} isBlind={isBlind} scanField={scanField} />
      {notes && (
        <Card title="Notes">
          <Notes text={notes} />
        </Card>
      )}
      <ThumbActions>
        <Button onClick={review} loading={isSyncing}>
          {mustFinish ? 'Finish counting' : 'Review'}
        </Button>
      </ThumbActions>
      <Confirm
        isOpen={isFinishing}
        title={isRecount ? `Finish the recount of count #${id}?` : `Finish counting count #${id}?`}
        confirm="Finish"
        dismiss="Keep counting"
        isBusy={finish.isPending}
        error={finish.error}
        onConfirm={() => finish.mutate({ params: { id } })}
        onCancel={() => setFinishing(false)}
      >
        {isRecount
          ? 'Products that were not counted again keep their first number.'
          : 'The review then shows what is expected, and numbers no longer change, on any device.'}
      </Confirm>
      <CancelDialog
        loaded={loaded}
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        returnTo={more}
      />
      <UnsavedGuard when={!isSaved}>
        Your last numbers are not saved yet. They stay on this device, and are saved when you open this count
        here again.
      </UnsavedGuard>
    </PageBody>
  )
}
