import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { reading } from '../../api/queries.ts'

type Props = {
  label: string
  value: string | null
  onChange: (locationId: string | null) => void
  /** What holds when none is chosen. */
  placeholder?: string
  isClearable?: boolean
  description?: string
  error?: string | undefined
}

/** The locations in use; the primary one first. */
export function LocationPicker({
  label,
  value,
  onChange,
  placeholder,
  isClearable,
  description,
  error,
}: Props) {
  const { data, isPending, isError } = useQuery({ ...reading('GET /locations', {}), staleTime: 60_000 })
  const inUse = data?.filter(({ isActive, locationId }) => isActive || locationId === value) ?? []
  return (
    <Select
      label={label}
      data={inUse.map(({ locationId, name }) => ({ value: locationId, label: name }))}
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
