import { Button, Checkbox, Stack, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { StockCountInput } from '../../../../../shared/schemas/stock-counts.ts'
import { request } from '../../../api/request.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { type FieldErrors, fieldErrors } from '../../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { readStocked } from '../counting/read-stocked.ts'
import { setCountBlind } from '../offline/local-count.ts'

export function CountCreate() {
  const { many } = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [locationId, setLocationId] = useState<string | null>(null)
  const [addsAll, setAddsAll] = useState(false)
  const [isBlind, setBlind] = useState(false)
  const [notes, setNotes] = useState('')
  const [levelsRead, setLevelsRead] = useState<number | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const unmounted = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    unmounted.current = controller
    return () => controller.abort()
  }, [])

  const start = useMutation({
    mutationFn: async (location: string) => {
      const { signal } = unmounted.current
      const stocked = addsAll && (await readStocked(location, { onRead: setLevelsRead, signal }))
      const variantIds = stocked ? stocked.variantIds : []
      const items = variantIds.map((variantId) => ({ variantId, countedQuantity: null }))
      const body: StockCountInput = { locationId: location, items, notes }
      const { id } = await request('POST /stock-counts', { body }, signal)
      return { id, isAll: !stocked || stocked.isAll }
    },
    onSuccess: async ({ id, isAll }) => {
      setCountBlind(id, isBlind)
      void client.invalidateQueries()
      await navigate({ to: '/counts/$id', params: { id }, replace: true, ignoreBlocker: true })
      if (!isAll)
        notifyDone('The first 5000 products are in the count. Add the rest with “Add all products”.')
    },
    onError: (error) => {
      setLevelsRead(null)
      setErrors(fieldErrors(error))
    },
  })
  const submit = () => {
    setErrors(locationId === null ? { locationId: 'Choose a location.' } : {})
    if (locationId !== null) start.mutate(locationId)
  }
  const isDirty = locationId !== null || notes !== '' || addsAll || isBlind

  return (
    <PageBody>
      <PageHeader
        title="Start a count"
        back={{ to: '/counts', name: 'Counts' }}
        actions={
          <Button onClick={submit} disabled={start.isPending}>
            {start.isPending && levelsRead !== null
              ? `${many(levelsRead, 'product')} loaded …`
              : start.isPending
                ? 'Starting …'
                : 'Start counting'}
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
            checked={addsAll}
            onChange={(event) => setAddsAll(event.currentTarget.checked)}
          />
          <Checkbox
            label="Count blind"
            description="Hides expected quantities on this device until review."
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
