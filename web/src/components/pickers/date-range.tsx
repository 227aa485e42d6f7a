import { Group, TextInput } from '@mantine/core'

/** A range of days in the shop's time zone, such as 2026-03-01; either end may be open. */
export type Days = { startDate?: string | undefined; endDate?: string | undefined }

type Props = { value: Days; onChange: (days: Days) => void; error?: string | undefined }

/** Fields for the first and the last day, both inclusive. */
export const DateRange = ({ value, onChange, error }: Props) => (
  <Group gap="xs" wrap="wrap" align="flex-start">
    <TextInput
      type="date"
      label="From"
      value={value.startDate ?? ''}
      max={value.endDate}
      onChange={(event) => onChange({ ...value, startDate: event.currentTarget.value || undefined })}
    />
    <TextInput
      type="date"
      label="To"
      value={value.endDate ?? ''}
      min={value.startDate}
      error={error}
      onChange={(event) => onChange({ ...value, endDate: event.currentTarget.value || undefined })}
    />
  </Group>
)

const dayFormat = /^\d{4}-\d{2}-\d{2}$/

/** Reads the range from the search parameters of the URL. */
export function readDays(search: Record<string, unknown>): Days {
  const day = (value: unknown) => (typeof value === 'string' && dayFormat.test(value) ? value : undefined)
  const startDate = day(search.startDate)
  const endDate = day(search.endDate)
  return { ...(startDate && { startDate }), ...(endDate && { endDate }) }
}
