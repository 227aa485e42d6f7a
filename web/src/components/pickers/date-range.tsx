import { Group, TextInput } from '@mantine/core'

/** Days of the shop, as in 2026-03-01; each side may be open. */
export type Days = { startDate?: string | undefined; endDate?: string | undefined }

type Props = { value: Days; onChange: (days: Days) => void; error?: string | undefined }

/** From and to, both included. */
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

/** The days that an address names. */
export function readDays(search: Record<string, unknown>): Days {
  const day = (value: unknown) => (typeof value === 'string' && dayFormat.test(value) ? value : undefined)
  const startDate = day(search.startDate)
  const endDate = day(search.endDate)
  return { ...(startDate && { startDate }), ...(endDate && { endDate }) }
}
