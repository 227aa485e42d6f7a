import { Button, Checkbox, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { StockCountInput } from '../../../../../shared/schemas/stock-counts.ts'
import { request } from '../../../api/request.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { noFilter, SheetFields, sheetOf } from './sheet-fields.tsx'

export function CountCreate() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [locationId, setLocationId] = useState<string | null>(null)
  const [hasSheet, setHasSheet] = useState(false)
  const [sheet, setSheet] = useState(noFilter)
  const [isBlind, setBlind] = useState(false)
  const [notes, setNotes] = useState('')
  const [errors, setErrors] = useState<FieldErrors>({})
  const start = useMutation({
    mutationFn: (body: StockCountInput) => request('POST /stock-counts', { body }),
    onSuccess: async ({ id }) => {
      void client.invalidateQueries()
      await navigate({ to: '/counts/$id', params: { id }, replace: true, ignoreBlocker: true })
    },
    onError: (error) => setErrors(fieldErrors(error)),
  })
  const submit = () => {
    const missing: FieldErrors = {
      ...(locationId === null && { locationId: 'Choose a location.' }),
      ...(hasSheet &&
        sheet.changed === 'day' &&
        sheet.since === '' && { 'filter.changedSince': 'Choose a day.' }),
    }
    setErrors(missing)
    if (locationId === null || Object.keys(missing).length > 0) return
    start.mutate({ locationId, items: [], notes, blind: isBlind, filter: hasSheet ? sheetOf(sheet) : null })
  }
  const isDirty = locationId !== null || notes !== '' || hasSheet || isBlind

  return (
    <PageBody>
      <PageHeader
        title="Start a count"
        back={{ to: '/counts', name: 'Counts' }}
        actions={
          <Button onClick={submit} disabled={start.isPending}>
            {start.isPending ? 'Starting …' : 'Start counting'}
          </Button>
        }
      />
      {start.error && <ErrorNotice error={start.error} />}
      <Card>
        <Stack>
          <LocationPicker
            label="Location"
            placeholder="Choose a location"
            value={locationId}
            onChange={setLocationId}
            error={errors.locationId}
          />
          <Checkbox
            label="Add every product at this location"
            description="So you can see what’s left to count. Otherwise the count has only the products you scan or add."
            checked={hasSheet}
            onChange={(event) => setHasSheet(event.currentTarget.checked)}
          />
          {hasSheet && <SheetFields value={sheet} onChange={setSheet} errors={errors} />}
          <Checkbox
            label="Count blind"
            description="Hides expected quantities from everyone until counting is finished."
            checked={isBlind}
            onChange={(event) => setBlind(event.currentTarget.checked)}
          />
          <Textarea
            label="Notes"
            placeholder="Shelves, counters …"
            autosize
            minRows={2}
            value={notes}
            onChange={(event) => setNotes(event.currentTarget.value)}
            error={errors.notes}
          />
        </Stack>
      </Card>
      <UnsavedGuard when={isDirty && !start.isSuccess} />
    </PageBody>
  )
}
