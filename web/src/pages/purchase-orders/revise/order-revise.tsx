import { Stack, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { VersionConflict } from '../../../components/forms/version-conflict.tsx'
import { useVersionedDraft } from '../../../components/forms/versioned-draft.ts'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { ProductAdder } from '../../../components/pickers/product-adder.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { addedOf, withAdded } from '../form/added-lines.ts'
import { type DraftLine, draftOf, isSame, linePatches } from '../form/draft.ts'
import { differencesOf } from '../form/order-differences.ts'
import { OrderMark } from '../order-mark.tsx'
import { mergeLines } from './merge-lines.ts'
import { RevisedLines } from './revised-lines.tsx'
import { RevisionRecipients, useRevisionRecipients } from './revision-recipients.tsx'

const route = getRouteApi('/purchase-orders/$id/revise')

/** The page that changes the lines of a sent order and e-mails the difference. */
export function OrderRevise() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /purchase-orders/:id', { params: { id } }))
  return <Loaded query={query}>{(order) => <Reviser key={order.id} order={order} />}</Loaded>
}

function Reviser({ order }: { order: PurchaseOrder }) {
  const { timeZone } = useSettings()
  const format = useFormat(order.currency)
  const client = useQueryClient()
  const navigate = usePageNavigate()
  const params = { id: order.id }
  const latest = readQuery('GET /purchase-orders/:id', { params })
  const { base, draft, setDraft, errors, theirs, unread, isDirty, clear, resetTo, onRefused } =
    useVersionedDraft(order, { draftOf: (stored) => draftOf(stored, timeZone), isSame, query: latest })
  const [reason, setReason] = useState('')
  const revise = useChange('POST /purchase-orders/:id/revise', {
    isForm: true,
    onDone: (saved) => {
      client.setQueryData(latest.queryKey, saved)
      notifyDone(`${saved.poNumber} revised`)
      return navigate({ to: '/purchase-orders/$id', params, ignoreBlocker: true })
    },
    onRefused,
  })
  const setLines = useCallback(
    (change: (lines: readonly DraftLine[]) => readonly DraftLine[]) =>
      setDraft((now) => ({ ...now, lines: change(now.lines) })),
    [setDraft],
  )
  const save = () => {
    clear()
    revise.mutate({
      params,
      body: { lineItems: linePatches(draft, base), version: base.version, reason },
    })
  }
  const reload = (saved: PurchaseOrder, keepsMine: boolean) => {
    const mine = mergeLines(draftOf(base, timeZone), draft, draftOf(saved, timeZone))
    resetTo(saved)
    if (keepsMine) setDraft(mine)
    revise.discard()
  }
  const isRevisable = base.status === 'sent' || base.status === 'partial'
  const recipients = useRevisionRecipients(base, isRevisable)
  return (
    <PageBody>
      <PageHeader
        title={`Revise ${base.poNumber}`}
        mark={<OrderMark order={base} />}
        back={{ to: `/purchase-orders/${base.id}`, name: base.poNumber }}
      />
      {theirs ? (
        <VersionConflict
          noun="order"
          differences={differencesOf(base, theirs, format)}
          isEditable={theirs.status === 'sent' || theirs.status === 'partial'}
          keep="Reload and keep my changes"
          onKeep={() => reload(theirs, true)}
          onDiscard={() => reload(theirs, false)}
        />
      ) : (
        revise.error && <ErrorNotice error={unread ?? revise.error} fields={errors} />
      )}
      <FormLock isBusy={revise.isPending}>
        <Card title="Lines">
          <Stack>
            <Text c="dimmed" size="sm">
              A quantity can’t go below what was received.
            </Text>
            <ProductAdder
              supplierId={base.supplierId}
              hasLow
              onForm={draft.lines}
              onAdd={(chosen) => setLines((lines) => withAdded(lines, addedOf(chosen)))}
            />
            <RevisedLines order={base} lines={draft.lines} errors={errors} onChange={setLines} />
            <TextInput
              label="Reason"
              description="Kept with the revision"
              maxLength={500}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
              error={errors.reason}
            />
            <Text size="sm">
              <RevisionRecipients order={base} recipients={recipients} />
            </Text>
          </Stack>
        </Card>
      </FormLock>
      <SaveBar
        isDirty={(isDirty || reason !== '') && !revise.isSuccess}
        isBusy={revise.isPending}
        isBlocked={!isDirty || !isRevisable || theirs !== null || draft.lines.length === 0}
        save={recipients?.to.length === 0 ? 'Save' : 'Save and e-mail'}
        state={isDirty ? undefined : 'Change a line to save the reason'}
        onSave={save}
        onDiscard={() => {
          setReason('')
          reload(base, false)
        }}
      />
    </PageBody>
  )
}
