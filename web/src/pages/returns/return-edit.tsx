import { TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReturnableReceipt, SupplierReturn } from '../../../../shared/schemas/supplier-returns.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { SaveBar } from '../../components/forms/save-bar.tsx'
import { VersionConflict } from '../../components/forms/version-conflict.tsx'
import { useVersionedDraft } from '../../components/forms/versioned-draft.ts'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { useFormat } from '../../components/shop/format.ts'
import { draftOf, isSame, patchOf } from './draft.ts'
import { differencesOf } from './return-differences.ts'
import { ReturnFields } from './return-fields.tsx'
import { ReturnLinesForm } from './return-lines-form.tsx'
import { ReturnStateBadge } from './return-state.tsx'

const route = getRouteApi('/returns/$id/edit')

export function ReturnEdit() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /supplier-returns/:id', { params: { id } }))
  return (
    <Loaded query={query}>
      {(stored) =>
        stored.receiptId === null ? (
          <Editor key={stored.id} stored={stored} receipt={null} />
        ) : (
          <OfReceipt key={stored.id} stored={stored} receiptId={stored.receiptId} />
        )
      }
    </Loaded>
  )
}

function OfReceipt({ stored, receiptId }: { stored: SupplierReturn; receiptId: number }) {
  const query = useQuery(readQuery('GET /receipts/:id/returnable', { params: { id: receiptId } }))
  return <Loaded query={query}>{(receipt) => <Editor stored={stored} receipt={receipt} />}</Loaded>
}

function Editor({ stored, receipt }: { stored: SupplierReturn; receipt: ReturnableReceipt | null }) {
  const format = useFormat()
  const client = useQueryClient()
  const navigate = usePageNavigate()
  const params = { id: stored.id }
  const latest = readQuery('GET /supplier-returns/:id', { params })
  const { base, draft, setDraft, errors, theirs, unread, isDirty, ...form } = useVersionedDraft(stored, {
    draftOf: (record: SupplierReturn) => draftOf(record, receipt),
    isSame,
    query: latest,
  })
  const { clear, resetTo, onRefused, onSaved } = form
  const change = useChange('PUT /supplier-returns/:id', {
    onDone: (saved) => {
      client.setQueryData(latest.queryKey, saved)
      notifyDone(`${saved.number} saved`)
      // what was typed during the save is not saved yet
      if (!onSaved(saved)) return undefined
      return navigate({ to: '/returns/$id', params, ignoreBlocker: true })
    },
    onRefused,
  })
  // the API accepts a change only with the newest version, which is `theirs` after a conflict
  const save = ({ version, locationId }: SupplierReturn) => {
    clear()
    change.mutate({ params, body: { ...patchOf(draft, draft.locationId ?? locationId), version } })
  }
  const showTheirs = (saved: SupplierReturn) => {
    resetTo(saved)
    change.reset()
  }
  return (
    <PageBody>
      <PageHeader
        title={`Edit ${stored.number}`}
        mark={<ReturnStateBadge state={base.state} />}
        back={{ to: `/returns/${stored.id}`, name: stored.number }}
      />
      {theirs ? (
        <VersionConflict
          noun="return"
          differences={differencesOf(base, theirs, format)}
          isEditable={theirs.state === 'draft'}
          onKeep={() => save(theirs)}
          onDiscard={() => showTheirs(theirs)}
        />
      ) : (
        change.error && <ErrorNotice error={unread ?? change.error} fields={errors} />
      )}
      <ReturnFields
        draft={draft}
        onChange={setDraft}
        errors={errors}
        supplier={<TextInput label="Supplier" value={stored.supplierName} readOnly variant="filled" />}
      />
      <ReturnLinesForm draft={draft} onChange={setDraft} errors={errors} isOfReceipt={receipt !== null} />
      <SaveBar
        isDirty={isDirty}
        isBusy={change.isPending}
        isBlocked={theirs !== null || base.state !== 'draft'}
        onSave={() => save(base)}
        onDiscard={() => showTheirs(base)}
      />
    </PageBody>
  )
}
