import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReturnableReceipt } from '../../../../shared/schemas/supplier-returns.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { personId } from '../../browser/host.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { useDraftErrors } from '../../components/forms/draft-errors.ts'
import { type FieldErrors, fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { useKeptDraft } from '../../components/forms/kept-draft.ts'
import { SaveBar } from '../../components/forms/save-bar.tsx'
import { OldSaveNotice, UnsavedNotice } from '../../components/forms/unsaved-notice.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import { OneTab } from '../../components/scan/one-tab.tsx'
import { type Draft, draftOfReceipt, emptyDraft, isSame, patchOf, sentLines, withKept } from './draft.ts'
import { ReturnFields } from './return-fields.tsx'
import { ReturnLinesForm } from './return-lines-form.tsx'

const route = getRouteApi('/returns/new')

/** Makes a return. The device keeps the draft of each person until it is saved or discarded. */
export function ReturnCreate() {
  const { receiptId, supplierId = null } = route.useSearch()
  const query = useQuery({ queryKey: ['person'], queryFn: personId, staleTime: 'static' })
  const name = receiptId === undefined ? `of supplier ${supplierId}` : `of receipt ${receiptId}`
  return (
    <OneTab key={name} name={`new return ${name}`}>
      <Loaded query={query}>
        {(person) => {
          const label = `new return ${person} ${name}`
          return receiptId === undefined ? (
            <Creator receipt={null} supplierId={supplierId} label={label} />
          ) : (
            <OfReceipt receiptId={receiptId} label={label} />
          )
        }}
      </Loaded>
    </OneTab>
  )
}

function OfReceipt({ receiptId, label }: { receiptId: number; label: string }) {
  const query = useQuery({
    ...readQuery('GET /receipts/:id/returnable', { params: { id: receiptId } }),
    // a refetch must not change what the user edits
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Loaded query={query}>
      {(receipt) => <Creator receipt={receipt} supplierId={receipt.supplierId} label={label} />}
    </Loaded>
  )
}

type CreatorProps = {
  receipt: ReturnableReceipt | null
  supplierId: number | null
  /** Of the draft on this device. */
  label: string
}

function Creator({ receipt, supplierId, label }: CreatorProps) {
  const navigate = usePageNavigate()
  const [start] = useState<Draft>(() => (receipt ? draftOfReceipt(receipt) : emptyDraft(supplierId)))
  const kept = useKeptDraft(label, start, {
    isSame,
    restore: (stored) => (receipt ? withKept(start, stored) : stored),
  })
  const { draft, setDraft, isDirty } = kept
  const { errors, setErrors } = useDraftErrors(draft)
  const create = useChange('POST /supplier-returns', {
    onDone: ({ id }) => {
      kept.forget()
      return navigate({ to: '/returns/$id', params: { id }, replace: true, ignoreBlocker: true })
    },
    onRefused: (error) => {
      kept.endSave(error)
      setErrors(fieldErrors(error))
    },
    key: kept.key,
  })
  const save = () => {
    const missing = missingFields(draft)
    setErrors(missing)
    const { supplierId: chosen, locationId } = draft
    if (chosen === null || locationId === null || Object.keys(missing).length > 0) return
    if (!kept.startSave()) return
    const receiptId = receipt?.receiptId ?? null
    create.mutate({ body: { supplierId: chosen, receiptId, ...patchOf(draft, locationId) } })
  }
  const discard = () => {
    kept.discard()
    create.reset()
    setErrors({})
  }
  return (
    <PageBody>
      <PageHeader title="Create a return" back={originOf(receipt)} />
      {create.error && <UnsavedNotice error={create.error} fields={errors} list="Returns" />}
      {kept.oldSave && (
        <OldSaveNotice
          at={kept.oldSave}
          list="Returns"
          onDiscard={discard}
          onSaveAsNew={() => {
            kept.renewKey()
            save()
          }}
        />
      )}
      <FormLock isBusy={create.isPending || kept.oldSave !== null}>
        <ReturnFields
          draft={draft}
          onChange={setDraft}
          errors={errors}
          supplier={
            receipt?.supplierId ? (
              <TextInput
                label="Supplier"
                value={receipt.supplierName ?? ''}
                readOnly
                variant="filled"
                error={errors.supplierId}
              />
            ) : (
              <SupplierPicker
                label="Supplier"
                placeholder="Choose a supplier"
                value={draft.supplierId}
                onChange={(id) => setDraft((now) => ({ ...now, supplierId: id }))}
                error={errors.supplierId}
              />
            )
          }
        />
        <ReturnLinesForm draft={draft} onChange={setDraft} errors={errors} isOfReceipt={receipt !== null} />
      </FormLock>
      <SaveBar
        isNew
        isDirty={isDirty && !create.isSuccess}
        isKept={kept.isDurable}
        {...(kept.isDurable && { state: 'Kept on this device until you save' })}
        isBlocked={kept.oldSave !== null}
        isBusy={create.isPending}
        save="Save return"
        onSave={save}
        onDiscard={discard}
      />
    </PageBody>
  )
}

function originOf(receipt: ReturnableReceipt | null): { to: string; name: string } {
  if (!receipt) return { to: '/returns', name: 'Returns to suppliers' }
  const { receiptId, purchaseOrderId, poNumber } = receipt
  if (purchaseOrderId === null) return { to: `/receipts/${receiptId}`, name: `Receipt #${receiptId}` }
  return { to: `/purchase-orders/${purchaseOrderId}`, name: poNumber ?? 'the order' }
}

/** Checked here because the messages of the API for these fields are less specific. */
function missingFields(draft: Draft): FieldErrors {
  const lines = sentLines(draft)
  const reasons = lines.flatMap(({ reason }, at) =>
    reason.trim() === '' ? [[`lines.${at}.reason`, 'Say why it goes back.']] : [],
  )
  return {
    ...(draft.supplierId === null && { supplierId: 'Choose the supplier.' }),
    ...(draft.locationId === null && { locationId: 'Choose where the goods are taken from.' }),
    ...(lines.length === 0 && { lines: 'Enter the quantity of at least one product.' }),
    ...Object.fromEntries(reasons),
  }
}
