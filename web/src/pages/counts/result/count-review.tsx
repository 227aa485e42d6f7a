import { Box, Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'
import { Attachments } from '../../../components/attachments/attachments.tsx'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { Card } from '../../../components/layout/card.tsx'
import { DetailColumns } from '../../../components/layout/detail.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { Reasons } from '../../../components/shop/reasons.tsx'
import { PagedTable } from '../../../components/tables/paged-table.tsx'
import { useCount } from '../counting/use-count.ts'
import { CancelDialog } from '../list/cancel-dialog.tsx'
import { CountStatusBadge } from '../list/count-status.tsx'
import { clearLocalCount, type LoadedCount, openCountStores } from '../offline/local-count.ts'
import { unreadItems } from '../offline/state.ts'
import { ApprovalNotice } from './approval-notice.tsx'
import { CountTimeline } from './count-timeline.tsx'
import { summaryOf } from './differences.ts'
import { itemColumns } from './item-columns.tsx'
import { LateEntries } from './late-entries.tsx'
import { RecountDialog } from './recount-dialog.tsx'
import { SummaryFacts } from './summary-facts.tsx'
import { UnreadNotice } from './unread-notice.tsx'

const route = getRouteApi('/counts/$id/review')

export function CountReview() {
  const { id } = route.useParams()
  return (
    <Loaded query={useCount(id, { untilRead: true })}>
      {(loaded) => {
        const { count } = loaded
        return count.status === 'draft' && !count.isHidden && count.phase !== 'recounting' ? (
          <Review key={count.id} loaded={loaded} />
        ) : (
          <Navigate to="/counts/$id" params={{ id }} replace />
        )
      }}
    </Loaded>
  )
}

/** What the merchant confirms: a count that is compared with the stock, or one with numbers that are not. */
type Confirming = 'compared' | 'stale' | null

/** The differences, before they change the stock. Of a blind count they show when counting is finished. */
function Review({ loaded }: { loaded: LoadedCount }) {
  const { count: stored } = loaded
  const { id, items, phase } = stored
  const navigate = usePageNavigate()
  const [confirming, setConfirming] = useState<Confirming>(null)
  const unread = unreadItems(stored).length
  const summary = summaryOf(items)
  const { differing, counted, uncounted } = summary
  const [isCancelling, setCancelling] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const [isRecounting, setRecounting] = useState(false)
  const toCounting = () => navigate({ to: '/counts/$id', params: { id } })
  const client = useQueryClient()
  const [unsaved] = useState(() => {
    const { entries, scans } = openCountStores(loaded)
    return { numbers: entries.all().length, codes: scans.all().length }
  })
  return (
    <PageBody>
      <PageHeader
        title={`Review count #${id}`}
        mark={phase === 'review' && <CountStatusBadge phase={phase} />}
        back={
          phase === 'review' ? { to: '/counts', name: 'Counts' } : { to: `/counts/${id}`, name: 'counting' }
        }
        actions={
          <>
            {phase === 'review' ? (
              <ReviewButtons
                cancelRef={more}
                canRecount={differing.length > 0 && unread === 0}
                onCancel={() => setCancelling(true)}
                onRecount={() => setRecounting(true)}
              />
            ) : (
              <FinishButton id={id} isDisabled={counted === 0 || unsaved.numbers > 0} />
            )}
            <Button
              onClick={() => setConfirming('compared')}
              disabled={
                counted === 0 ||
                (phase === 'counting' && unsaved.numbers > 0) ||
                unread > 0 ||
                stored.approvalNeeded === true
              }
            >
              Submit
            </Button>
          </>
        }
      />
      {phase === 'review' && <LateEntries loaded={loaded} />}
      {stored.approvalNeeded && unread === 0 && (
        <ApprovalNotice count={stored} onApproved={() => client.invalidateQueries()} />
      )}
      {phase === 'counting' && (unsaved.numbers > 0 || unsaved.codes > 0) && (
        <UnsavedNotice id={id} {...unsaved} />
      )}
      {unread > 0 && (phase === 'review' || unsaved.numbers === 0) && (
        <UnreadNotice count={stored} onSubmit={() => setConfirming('stale')} />
      )}
      <DetailColumns
        side={
          <>
            <Card title="Summary">
              <SummaryFacts count={stored} />
              {uncounted > 0 && (
                <Text size="sm" c="dimmed" mt="sm">
                  Uncounted items keep their stock.
                </Text>
              )}
            </Card>
            <CountTimeline count={stored} />
          </>
        }
      >
        <Differences count={stored} summary={summary} unread={unread} />
        <Attachments subject="stock_count" subjectId={id} />
      </DetailColumns>
      <SubmitDialog
        {...{ loaded, summary, unread, confirming }}
        onDone={() => navigate({ to: '/counts/$id', params: { id }, replace: true })}
        onClose={() => setConfirming(null)}
      />
      <RecountDialog
        id={id}
        isOpen={isRecounting}
        onClose={() => setRecounting(false)}
        onStarted={toCounting}
      />
      <CancelDialog
        loaded={loaded}
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        returnTo={more}
      />
    </PageBody>
  )
}

/** Numbers and scans of this device that are not part of the reviewed count. */
function UnsavedNotice({ id, numbers, codes }: { id: number; numbers: number; codes: number }) {
  const { many } = useFormat()
  return (
    <Notice tone="waiting" title="Some scans or numbers are not in this count">
      <Text c="#1c2024" mb="sm">
        {numbers > 0 && `${many(numbers, 'number')} on this device not saved yet. `}
        {codes > 0 && `${many(codes, 'scanned code')} matched no product that can be counted. `}
        Go back to resolve them.
      </Text>
      <LinkButton size="xs" to="/counts/$id" params={{ id }}>
        Back to counting
      </LinkButton>
    </Notice>
  )
}

type Summary = ReturnType<typeof summaryOf>

type DifferenceProps = { count: LoadedCount['count']; summary: Summary; unread: number }

function Differences({ count, summary: { differing, counted }, unread }: DifferenceProps) {
  const format = useFormat()
  return (
    <Card title="Differences" isFlush>
      {differing.length === 0 ? (
        <Text c="dimmed" p="md" pt={0}>
          {counted === 0
            ? 'No products are counted yet. Go back and scan or type numbers.'
            : unread > 0
              ? 'The differences appear once all numbers are compared.'
              : 'No differences: all counted numbers match what is expected on hand.'}
        </Text>
      ) : (
        <PagedTable
          label="Differences"
          rows={differing}
          keyOf={({ variantId }) => variantId}
          columns={itemColumns(format, count)}
        />
      )}
    </Card>
  )
}

type SubmitProps = {
  loaded: LoadedCount
  summary: Summary
  unread: number
  confirming: Confirming
  onDone: () => Promise<void>
  onClose: () => void
}

function SubmitDialog({ loaded, summary, unread, confirming, onDone, onClose }: SubmitProps) {
  const { count: stored } = loaded
  const { id, locationName } = stored
  const { differing, over, short } = summary
  const format = useFormat()
  const [reason, setReason] = useState(stored.reason)
  const submit = useChange('PUT /stock-counts/:id', {
    onDone: async () => {
      clearLocalCount(loaded)
      await onDone()
      notifyDone(`Count #${id} submitted`)
    },
    onRefused: (error) => {
      if (!(error instanceof ApiError) || error.code !== 'stale_version') return
      // the review is read again after each change: the dialog must not cover the other differences
      onClose()
      notifyRefused(error)
    },
  })
  return (
    <Confirm
      isOpen={confirming !== null}
      title={`Submit count #${id}?`}
      confirm="Submit"
      isBusy={submit.isPending}
      error={submit.error}
      onConfirm={() =>
        submit.mutate({
          params: { id },
          body: {
            status: 'submitted',
            reason,
            variancesVersion: stored.variancesVersion ?? undefined,
            ...(confirming === 'stale' && { acceptStale: true }),
          },
        })
      }
      onCancel={onClose}
    >
      {confirming === 'stale' &&
        `${format.many(unread, 'number')} could not be compared with the stock in your shop, so the last known stock is used for them. `}
      {differing.length === 0 && unread === 0
        ? `All counted numbers match what is expected at ${locationName}, so no stock changes.`
        : `This changes the stock of ${format.many(differing.length, 'product')} at ${locationName} by the differences, here and in your shop: ${format.many(over, 'piece')} more, ${format.many(short, 'piece')} fewer.`}{' '}
      Sales, shipments and receipts since counting are kept. You cannot edit the count after that.
      {differing.length > 0 && (
        <Box mt="md">
          <Reasons value={reason} onChange={setReason} error={fieldErrors(submit.error).reason} />
        </Box>
      )}
    </Confirm>
  )
}

type ButtonProps = {
  cancelRef: RefObject<HTMLButtonElement | null>
  canRecount: boolean
  onCancel: () => void
  onRecount: () => void
}

const ReviewButtons = ({ cancelRef, canRecount, onCancel, onRecount }: ButtonProps) => (
  <>
    <Button ref={cancelRef} variant="default" onClick={onCancel}>
      Cancel the count
    </Button>
    <Button variant="default" onClick={onRecount} disabled={!canRecount}>
      Recount
    </Button>
  </>
)

function FinishButton({ id, isDisabled }: { id: number; isDisabled: boolean }) {
  const finish = useChange('POST /stock-counts/:id/finish', { onRefused: notifyRefused })
  return (
    <Button
      variant="default"
      onClick={() => finish.mutate({ params: { id } })}
      loading={finish.isPending}
      disabled={isDisabled}
    >
      Finish counting
    </Button>
  )
}
