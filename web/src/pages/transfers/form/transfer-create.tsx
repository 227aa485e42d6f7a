import { SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { useDraftErrors } from '../../../components/forms/draft-errors.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { type Draft, inputOf, isSame, startDraft } from './draft.ts'
import { TransferLinesForm } from './transfer-lines-form.tsx'
import { TransferNotes } from './transfer-notes.tsx'

const route = getRouteApi('/transfers/new')

/** A new transfer, empty or with what a link names. */
export function TransferCreate() {
  const { variantId, ...start } = route.useSearch()
  const query = useQuery({
    ...readQuery('GET /variants/:id', { params: { id: variantId ?? '' } }),
    enabled: variantId !== undefined,
  })
  if (variantId === undefined) return <TransferForm start={startDraft(start, null)} />
  return <Loaded query={query}>{(variant) => <TransferForm start={startDraft(start, variant)} />}</Loaded>
}

function TransferForm({ start }: { start: Draft }) {
  const navigate = usePageNavigate()
  const [draft, setDraft] = useState(start)
  const { errors, setErrors } = useDraftErrors(draft)
  const { sourceLocationId: source, destinationLocationId: destination } = draft
  const create = useChange('POST /stock-transfers', {
    isForm: true,
    onDone: ({ id }) =>
      navigate({ to: '/transfers/$id', params: { id }, replace: true, ignoreBlocker: true }),
    onRefused: (error) => setErrors(fieldErrors(error)),
  })
  const save = () => {
    const missing = missingFields(draft)
    setErrors(missing)
    if (source === null || destination === null || Object.keys(missing).length > 0) return
    create.mutate({ body: inputOf(draft, source, destination) })
  }
  return (
    <PageBody>
      <PageHeader title="Create a transfer" back={{ to: '/transfers', name: 'Transfers' }} />
      {create.error && <ErrorNotice error={create.error} fields={errors} />}
      <FormLock isBusy={create.isPending}>
        <Card title="Locations">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <LocationPicker
              label="From"
              placeholder="Choose a location"
              value={source}
              onChange={(id) => setDraft((now) => ({ ...now, sourceLocationId: id }))}
              error={errors.sourceLocationId}
            />
            <LocationPicker
              label="To"
              placeholder="Choose a location"
              value={destination}
              onChange={(id) => setDraft((now) => ({ ...now, destinationLocationId: id }))}
              error={errors.destinationLocationId}
            />
          </SimpleGrid>
        </Card>
        <TransferLinesForm draft={draft} onChange={setDraft} errors={errors} />
        <TransferNotes draft={draft} onChange={setDraft} errors={errors} />
      </FormLock>
      <SaveBar
        isNew
        isDirty={!isSame(draft, start) && !create.isSuccess}
        isBusy={create.isPending}
        save="Save transfer"
        onSave={save}
        onDiscard={() => {
          setDraft(start)
          setErrors({})
          create.discard()
        }}
      />
    </PageBody>
  )
}

/** Checked here because the messages of the API for these fields are less specific. */
function missingFields({ sourceLocationId, destinationLocationId, lines }: Draft): FieldErrors {
  return {
    ...(sourceLocationId === null && { sourceLocationId: 'Choose the source location.' }),
    ...(destinationLocationId === null && { destinationLocationId: 'Choose the destination location.' }),
    ...(sourceLocationId !== null &&
      sourceLocationId === destinationLocationId && {
        destinationLocationId: 'Choose a different location from the source.',
      }),
    ...(lines.length === 0 && { items: 'Add at least one product.' }),
  }
}
