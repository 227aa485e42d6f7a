import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { locationsQuery } from './location-name.ts'

type Props = {
  label: string
  value: string | null
  onChange: (locationId: string | null) => void
  /** Shows the default that applies without a choice. */
  placeholder?: string
  isClearable?: boolean
  description?: string
  error?: string | undefined
}

/** Selects one of the active locations; the primary one comes first. */
export function LocationPicker({
  label,
  value,
  onChange,
  placeholder,
  isClearable,
  description,
  error,
}: Props) {
  const { data, isPending, isError } = useQuery(locationsQuery)
  const locations = data?.filter(({ isActive, locationId }) => isActive || locationId === value) ?? []
  return (
    <Select
      label={label}
      data={locations.map(({ locationId, name }) => ({ value: locationId, label: name }))}
      value={value}
      onChange={onChange}
      placeholder={isPending ? 'Loading …' : placeholder}
      clearable={isClearable}
      description={description}
      error={isError ? 'The locations could not be loaded.' : error}
      allowDeselect={false}
      checkIconPosition="right"
    />
  )
}
