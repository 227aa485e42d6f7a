import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
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
import { TransferStatusBadge } from '../transfer-status.tsx'
import { draftOf, isSame, patchOf } from './draft.ts'
import { differencesOf } from './transfer-differences.ts'
import { TransferLinesForm } from './transfer-lines-form.tsx'
import { TransferNotes } from './transfer-notes.tsx'

const route = getRouteApi('/transfers/$id/edit')

export function TransferEdit() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /stock-transfers/:id', { params: { id } }))
  return <Loaded query={query}>{(transfer) => <Editor key={transfer.id} transfer={transfer} />}</Loaded>
}

function Editor({ transfer }: { transfer: StockTransfer }) {
  const format = useFormat()
  const client = useQueryClient()
  const navigate = usePageNavigate()
  const params = { id: transfer.id }
  const latest = readQuery('GET /stock-transfers/:id', { params })
  const { base, draft, setDraft, errors, theirs, unread, isDirty, ...form } = useVersionedDraft(transfer, {
    draftOf,
    isSame,
    query: latest,
  })

  const { clear, resetTo, onRefused, onSaved } = form
  const change = useChange('PUT /stock-transfers/:id', {
    onDone: ({ alreadyApplied: _, ...saved }) => {
      client.setQueryData(latest.queryKey, saved)
      notifyDone(`Transfer #${saved.id} saved`)
      // what was typed during the save is not saved yet
      if (!onSaved(saved)) return undefined
      return navigate({ to: '/transfers/$id', params, ignoreBlocker: true })
    },
    onRefused,
  })
  // the API accepts a change only with the newest version, which is `theirs` after a conflict
  const save = (latestSaved: StockTransfer) => {
    clear()
    change.mutate({ params, body: patchOf(draft, latestSaved) })
  }
  const showTheirs = (saved: StockTransfer) => {
    resetTo(saved)
    change.reset()
  }

  return (
    <PageBody>
      <PageHeader
        title={`Edit transfer #${transfer.id}`}
        mark={<TransferStatusBadge status={base.status} />}
        back={{ to: `/transfers/${transfer.id}`, name: `transfer #${transfer.id}` }}
      />
      {theirs ? (
        <VersionConflict
          noun="transfer"
          differences={differencesOf(base, theirs, format)}
          isEditable={theirs.status === base.status}
          onKeep={() => save(theirs)}
          onDiscard={() => showTheirs(theirs)}
        />
      ) : (
        change.error && <ErrorNotice error={unread ?? change.error} fields={errors} />
      )}
      {base.status === 'pending' && <TransferLinesForm draft={draft} onChange={setDraft} errors={errors} />}
      <TransferNotes draft={draft} onChange={setDraft} errors={errors} />
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
