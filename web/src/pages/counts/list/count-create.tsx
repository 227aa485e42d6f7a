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
import { setBlind } from '../counting/stored-count.ts'

export function CountCreate() {
  const { many } = useFormat()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [locationId, setLocationId] = useState<string | null>(null)
  const [isWhole, setWhole] = useState(false)
  const [isHidden, setHidden] = useState(false)
  const [notes, setNotes] = useState('')
  const [read, setRead] = useState<number | null>(null)
  const [errors, setErrors] = useState<FieldErrors>({})
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  const start = useMutation({
    mutationFn: async (place: string) => {
      const { signal } = leaving.current
      const stocked = isWhole && (await readStocked(place, { onRead: setRead, signal }))
      const variantIds = stocked ? stocked.variantIds : []
      const items = variantIds.map((variantId) => ({ variantId, countedQuantity: null }))
      const body: StockCountInput = { locationId: place, items, notes }
      const { id } = await request('POST /stock-counts', { body }, signal)
      return { id, isAll: !stocked || stocked.isAll }
    },
    onSuccess: async ({ id, isAll }) => {
      setBlind(id, isHidden)
      void client.invalidateQueries()
      await navigate({ to: '/counts/$id', params: { id }, replace: true, ignoreBlocker: true })
      if (!isAll) notifyDone('The first 5000 products are in the count. Add the others there.')
    },
    onError: (error) => {
      setRead(null)
      setErrors(fieldErrors(error))
    },
  })
  const submit = () => {
    setErrors(locationId === null ? { locationId: 'Choose where you count.' } : {})
    if (locationId !== null) start.mutate(locationId)
  }
  const isDirty = locationId !== null || notes !== '' || isWhole || isHidden

  return (
    <PageBody>
      <PageHeader
        title="Start a count"
        back={{ to: '/counts', name: 'Counts' }}
        actions={
          <Button onClick={submit} disabled={start.isPending}>
            {start.isPending && read !== null
              ? `${many(read, 'product')} read …`
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
            placeholder="Choose one"
            value={locationId}
            onChange={setLocationId}
            error={errors.locationId}
          />
          <Checkbox
            label="Begin with all products of this location"
            description="Then you see what is still missing. Without it, the count holds what you scan or add."
            checked={isWhole}
            onChange={(event) => setWhole(event.currentTarget.checked)}
          />
          <Checkbox
            label="Count blind"
            description="Hides on this device how many there should be, so that nobody is led by it, until you look at the differences."
            checked={isHidden}
            onChange={(event) => setHidden(event.currentTarget.checked)}
          />
          <Textarea
            label="Notes"
            placeholder="Which shelves, who counts …"
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
