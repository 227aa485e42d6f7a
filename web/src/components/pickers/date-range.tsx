import { Group } from '@mantine/core'
import { DayField } from './day-field.tsx'
import { type Days, isReversed } from './days.ts'

type Props = { value: Days; onChange: (days: Days) => void }

/**
 * Fields for the first and the last day, both inclusive. The first may be later while the merchant types the other: the fields
 * show an error, and the caller filters by neither.
 */
export const DateRange = ({ value, onChange }: Props) => (
  <Group gap="xs" wrap="wrap" align="flex-start">
    <DayField
      label="From"
      value={value.startDate}
      max={value.endDate}
      onChange={(startDate) => onChange({ ...value, startDate })}
    />
    <DayField
      label="To"
      value={value.endDate}
      min={value.startDate}
      error={isReversed(value) ? 'The end date must not be before the start date.' : undefined}
      onChange={(endDate) => onChange({ ...value, endDate })}
    />
  </Group>
)
