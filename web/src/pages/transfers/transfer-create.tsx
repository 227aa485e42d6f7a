import { Button, SimpleGrid } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { type FieldErrors, fieldErrors } from '../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../components/forms/unsaved-guard.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { type Draft, emptyDraft, inputOf, isSame } from './draft.ts'
import { TransferLinesForm } from './transfer-lines-form.tsx'
import { TransferNotes } from './transfer-notes.tsx'

export function TransferCreate() {
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft>(emptyDraft)
  const [errors, setErrors] = useState<FieldErrors>({})
  const { sourceLocationId: source, destinationLocationId: destination } = draft
  const create = useChange('POST /stock-transfers', {
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
      <PageHeader
        title="New transfer"
        back={{ to: '/transfers', name: 'Transfers' }}
        actions={
          <Button onClick={save} loading={create.isPending}>
            Save transfer
          </Button>
        }
      />
      {create.error && <ErrorNotice error={create.error} />}
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
      <UnsavedGuard when={!isSame(draft, emptyDraft) && !create.isSuccess} />
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
