import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { SupplierListItem } from '../../../../shared/schemas/suppliers.ts'
import { allSuppliersQuery, useKnownSupplierName } from './supplier-names.ts'

type Props = {
  label: string
  /** For a table whose column header is the label. */
  isLabelHidden?: boolean
  value: number | null
  onChange: (supplierId: number | null) => void
  /** The current supplier when the page knows its name: an archived one is not in the list, and would be read. */
  known?: { id: number; name: string } | undefined
  placeholder?: string
  isClearable?: boolean
  isRequired?: boolean
  isDisabled?: boolean
  /** Takes the focus when the dialog around it opens; its list opens by a key, so that it covers no text of the dialog. */
  isFirstInDialog?: boolean
  /** A supplier that cannot be chosen. */
  exceptId?: number
  error?: string | undefined
}

type Named = Pick<SupplierListItem, 'id' | 'name' | 'email' | 'accountNumber'>

/** The labels of suppliers by id. Of equal names each has the e-mail address and the account number. */
function labelsOf(suppliers: readonly Named[]): [number, string][] {
  const counts = new Map<string, number>()
  for (const { name } of suppliers) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  return suppliers.map(({ id, name, email, accountNumber }) => {
    const isAlone = counts.get(name.toLowerCase()) === 1
    return [id, isAlone ? name : [name, email, accountNumber].filter(Boolean).join(' · ')]
  })
}

/** Selects a supplier by a part of its name. */
export function SupplierPicker({
  label,
  isLabelHidden,
  value,
  onChange,
  known,
  placeholder,
  isClearable,
  isRequired,
  isDisabled,
  isFirstInDialog = false,
  exceptId,
  error,
}: Props) {
  const { data, isPending, isError } = useQuery(allSuppliersQuery)
  const suppliers = data ? data.records.filter(({ id }) => id !== exceptId) : []
  const options = new Map(labelsOf(suppliers))
  if (known && !options.has(known.id)) options.set(known.id, known.name)
  const chosen = useKnownSupplierName(value === null || known?.id === value ? undefined : value)
  if (value !== null && chosen !== undefined && !options.has(value)) options.set(value, chosen)
  return (
    <Select
      label={isLabelHidden ? undefined : label}
      aria-label={isLabelHidden ? label : undefined}
      data={[...options]
        .sort(([, a], [, b]) => a.localeCompare(b))
        .map(([id, name]) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      placeholder={isPending ? 'Loading …' : placeholder}
      nothingFoundMessage="No matching suppliers"
      searchable
      clearable={isClearable}
      withAsterisk={isRequired}
      disabled={isDisabled}
      allowDeselect={false}
      openOnFocus={!isFirstInDialog}
      data-autofocus={isFirstInDialog || undefined}
      error={isError ? 'The suppliers could not be loaded.' : error}
      limit={100}
    />
  )
}
