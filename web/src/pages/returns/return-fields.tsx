import { SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import type { Dispatch, ReactNode, SetStateAction } from 'react'
import type { FieldErrors } from '../../components/forms/form-errors.ts'
import { Card } from '../../components/layout/card.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import type { Draft } from './draft.ts'

type Props = {
  draft: Draft
  onChange: Dispatch<SetStateAction<Draft>>
  errors: FieldErrors
  /** The supplier: a field, or a fact. */
  supplier: ReactNode
}

/** The supplier, the location and the texts of a return. */
export function ReturnFields({ draft, onChange, errors, supplier }: Props) {
  const set = (fields: Partial<Draft>) => onChange((now) => ({ ...now, ...fields }))
  return (
    <Card title="Details">
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {supplier}
          <LocationPicker
            label="Taken from"
            placeholder="Choose a location"
            value={draft.locationId}
            onChange={(locationId) => set({ locationId })}
            error={errors.locationId}
          />
          <TextInput
            label="Supplier’s return number"
            description="Printed on the return note"
            value={draft.supplierReference}
            onChange={(event) => set({ supplierReference: event.currentTarget.value })}
            error={errors.supplierReference}
          />
        </SimpleGrid>
        <Textarea
          label="Internal notes"
          autosize
          minRows={2}
          value={draft.notes}
          onChange={(event) => set({ notes: event.currentTarget.value })}
          error={errors.notes}
        />
      </Stack>
    </Card>
  )
}
