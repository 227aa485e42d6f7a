import { Checkbox, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { useDraftErrors } from '../../../components/forms/draft-errors.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SaveBar } from '../../../components/forms/save-bar.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { BlindField } from '../blind-field.tsx'
import { noFilter, SheetFields, type SheetValues, sheetOf } from './sheet-fields.tsx'

type Draft = {
  locationId: string | null
  hasSheet: boolean
  filter: SheetValues
  isBlind: boolean
  notes: string
}
const emptyDraft: Draft = { locationId: null, hasSheet: false, filter: noFilter, isBlind: false, notes: '' }

export function CountCreate() {
  const navigate = usePageNavigate()
  const [draft, setDraft] = useState(emptyDraft)
  const { locationId, hasSheet, filter, isBlind, notes } = draft
  const { errors, setErrors } = useDraftErrors(draft)
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }))
  const start = useChange('POST /stock-counts', {
    isForm: true,
    onDone: ({ id }) => navigate({ to: '/counts/$id', params: { id }, replace: true, ignoreBlocker: true }),
    onRefused: (error) => setErrors(fieldErrors(error)),
  })
  const submit = () => {
    const missing: FieldErrors = {
      ...(locationId === null && { locationId: 'Choose a location.' }),
      ...(hasSheet &&
        filter.changed === 'day' &&
        filter.since === '' && { 'filter.changedSince': 'Choose a day.' }),
    }
    setErrors(missing)
    if (locationId === null || Object.keys(missing).length > 0) return
    start.mutate({
      body: { locationId, items: [], notes, blind: isBlind, filter: hasSheet ? sheetOf(filter) : null },
    })
  }
  const isDirty = locationId !== null || notes !== '' || hasSheet || isBlind

  return (
    <PageBody>
      <PageHeader title="Start a count" back={{ to: '/counts', name: 'Counts' }} />
      {start.error && <ErrorNotice error={start.error} fields={errors} />}
      <FormLock isBusy={start.isPending}>
        <Card>
          <Stack>
            <LocationPicker
              label="Location"
              placeholder="Choose a location"
              value={locationId}
              onChange={(id) => set({ locationId: id })}
              error={errors.locationId}
            />
            <Checkbox
              label="Add every product at this location"
              description="So you can see what’s left to count. Otherwise the count has only the products you scan or add."
              checked={hasSheet}
              onChange={(event) => set({ hasSheet: event.currentTarget.checked })}
            />
            {hasSheet && (
              <SheetFields value={filter} onChange={(values) => set({ filter: values })} errors={errors} />
            )}
            <BlindField value={isBlind} onChange={(isOn) => set({ isBlind: isOn })} />
            <Textarea
              label="Notes"
              placeholder="Shelves, counters …"
              autosize
              minRows={2}
              value={notes}
              onChange={(event) => set({ notes: event.currentTarget.value })}
              error={errors.notes}
            />
          </Stack>
        </Card>
      </FormLock>
      <SaveBar
        isNew
        isDirty={isDirty && !start.isSuccess}
        isBusy={start.isPending}
        save="Start counting"
        onSave={submit}
        onDiscard={() => {
          setDraft(emptyDraft)
          setErrors({})
          start.discard()
        }}
      />
    </PageBody>
  )
}
