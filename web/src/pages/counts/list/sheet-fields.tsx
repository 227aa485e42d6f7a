import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CountSheet } from '../../../../../shared/schemas/stock-counts.ts'
import { readQuery } from '../../../api/queries.ts'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'
import { abcClasses } from '../../reports/filter.ts'

/** `changed` is `any`, `last_count`, or `day` with `since`. */
export type SheetValues = {
  vendor: string | null
  productType: string | null
  abcClass: 'A' | 'B' | 'C' | null
  bin: string
  changed: 'any' | 'last_count' | 'day'
  since: string
}

export const noFilter: SheetValues = {
  vendor: null,
  productType: null,
  abcClass: null,
  bin: '',
  changed: 'any',
  since: '',
}

export function sheetOf({ vendor, productType, abcClass, bin, changed, since }: SheetValues): CountSheet {
  return {
    ...(vendor && { vendor }),
    ...(productType && { productType }),
    ...(abcClass && { abcClass }),
    ...(bin.trim() && { bin: bin.trim() }),
    ...(changed === 'last_count' && { changedSince: 'last_count' }),
    ...(changed === 'day' && { changedSince: since }),
  }
}

type Props = { value: SheetValues; onChange: (value: SheetValues) => void; errors: FieldErrors }

/** Chooses the products of a count sheet; all fields must match. */
export function SheetFields({ value, onChange, errors }: Props) {
  const { data } = useQuery({ ...readQuery('GET /products/facets', {}), staleTime: 60_000 })
  const list = { clearable: true, searchable: true, limit: 100, checkIconPosition: 'right' as const }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label="Vendor"
        placeholder="All vendors"
        data={[...(data?.vendors ?? [])]}
        value={value.vendor}
        onChange={(vendor) => onChange({ ...value, vendor })}
        error={errors['filter.vendor']}
        {...list}
      />
      <Select
        label="Product type"
        placeholder="All types"
        data={[...(data?.productTypes ?? [])]}
        value={value.productType}
        onChange={(productType) => onChange({ ...value, productType })}
        error={errors['filter.productType']}
        {...list}
      />
      <Select
        label="ABC class"
        placeholder="All classes"
        data={[...abcClasses]}
        value={value.abcClass}
        onChange={(abcClass) =>
          onChange({ ...value, abcClass: abcClasses.find((known) => known === abcClass) ?? null })
        }
        clearable
        checkIconPosition="right"
      />
      <TextInput
        label="Bin"
        description="One bin, or A-* for every bin that begins with A-"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder="All bins"
        maxLength={40}
        value={value.bin}
        onChange={(event) => onChange({ ...value, bin: event.currentTarget.value })}
        error={errors['filter.bin']}
      />
      <Select
        label="Stock that changed"
        data={[
          { value: 'any', label: 'All stock, changed or not' },
          { value: 'last_count', label: 'Since its last count' },
          { value: 'day', label: 'Since a day' },
        ]}
        value={value.changed}
        onChange={(changed) =>
          onChange({ ...value, changed: changed === 'last_count' || changed === 'day' ? changed : 'any' })
        }
        allowDeselect={false}
        checkIconPosition="right"
      />
      {value.changed === 'day' && (
        <TextInput
          type="date"
          label="Changed since"
          value={value.since}
          onChange={(event) => onChange({ ...value, since: event.currentTarget.value })}
          error={errors['filter.changedSince']}
        />
      )}
    </SimpleGrid>
  )
}
