import { TextInput } from '@mantine/core'
import type { FieldErrors } from './form-errors.ts'

type Delivery = { deliveryNote: string; notes: string }

type Props = { value: Delivery; errors: FieldErrors; onChange: (change: Partial<Delivery>) => void }

/** What the merchant writes about a delivery. */
export const DeliveryFields = ({ value, errors, onChange }: Props) => (
  <>
    <TextInput
      label="Delivery note"
      placeholder="Number on the note"
      maxLength={200}
      value={value.deliveryNote}
      onChange={(event) => onChange({ deliveryNote: event.currentTarget.value })}
      error={errors.deliveryNote}
    />
    <TextInput
      label="Notes"
      placeholder="Only for you"
      maxLength={5000}
      value={value.notes}
      onChange={(event) => onChange({ notes: event.currentTarget.value })}
      error={errors.notes}
    />
  </>
)
