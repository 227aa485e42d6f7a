import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import type { ReceiptDraft } from './receipt-draft.ts'

/** Whether the API refused to create a draft since the order names no location that is in use. */
export const needsLocation = (error: unknown) =>
  error instanceof ApiError && error.code === 'unknown_location'

type Props = {
  draft: ReceiptDraft
  /** The API has refused to create a draft without a location. */
  isAsked: boolean
  onStored: () => void
}

/** Asks where the goods arrive; the scans stay on the device until then. */
export function LocationNotice({ draft, isAsked, onStored }: Props) {
  const [locationId, setLocationId] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const save = async (chosen: string) => {
    setSaving(true)
    const isStored = await draft.createAt(chosen)
    setSaving(false)
    if (isStored) onStored()
  }
  // while the request is under way nothing is refused, and the button keeps its place
  if (!isAsked && !isSaving) return null
  return (
    <Notice tone="waiting" title="Where do the goods arrive?">
      <Stack gap="sm" align="flex-start">
        <Text c="#1c2024">
          The location of this order is not in use. Your scans stay on this device until you choose one.
        </Text>
        <LocationPicker
          label="Received at"
          placeholder="Choose a location"
          value={locationId}
          onChange={setLocationId}
        />
        <Button
          size="xs"
          loading={isSaving}
          disabled={locationId === null}
          onClick={() => locationId !== null && save(locationId)}
        >
          Receive here
        </Button>
      </Stack>
    </Notice>
  )
}
