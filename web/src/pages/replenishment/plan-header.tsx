import { Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listQuery } from '../../api/queries.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import { Filters } from '../../components/tables/filters.tsx'
import { basisOptions, defaultDays, type PlanFilter } from './plan-filter.ts'

type Props = {
  filter: PlanFilter
  onChange: (change: { [K in keyof PlanFilter]?: PlanFilter[K] | undefined }) => void
}

/** Supplier, location, days, basis, growth and budget. Numbers are taken when the field is left. */
export const PlanHeader = ({ filter, onChange }: Props) => (
  <Filters>
    {filter.budgetId === undefined && (
      <>
        <SupplierPicker
          label="Supplier"
          value={filter.supplierId ?? null}
          onChange={(supplierId) => onChange({ supplierId: supplierId ?? undefined })}
          placeholder="All suppliers"
          isClearable
        />
        <LocationPicker
          label="Location"
          value={filter.locationId ?? null}
          onChange={(locationId) => onChange({ locationId: locationId ?? undefined })}
          placeholder="All locations"
          isClearable
        />
      </>
    )}
    <FilterNumber
      key={`days ${filter.days}`}
      label="Order for days"
      value={filter.days ?? defaultDays}
      onChange={(days) => onChange({ days })}
      min={1}
      max={365}
    />
    <Select
      label="Based on"
      data={basisOptions}
      value={filter.basis ?? 'forecast'}
      onChange={(basis) => onChange({ basis: basisOptions.find(({ value }) => value === basis)?.value })}
      allowDeselect={false}
      checkIconPosition="right"
    />
    <FilterNumber
      key={`growth ${filter.growth}`}
      label="Growth in %"
      value={filter.growth ?? 0}
      onChange={(growth) => onChange({ growth })}
      min={-90}
      max={900}
    />
    <BudgetPicker
      value={filter.budgetId ?? null}
      onChange={(budgetId) => onChange({ budgetId: budgetId ?? undefined })}
    />
  </Filters>
)

/** Without a budget the picker is hidden: its page is in the header. */
function BudgetPicker({ value, onChange }: { value: number | null; onChange: (id: number | null) => void }) {
  const { data } = useInfiniteQuery(listQuery('GET /buying-budgets', { query: { limit: 250 } }))
  const budgets = data?.pages.flatMap(({ records }) => records) ?? []
  if (budgets.length === 0) return null
  return (
    <Select
      label="Budget"
      data={budgets.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      placeholder="No budget"
      clearable
      searchable
      checkIconPosition="right"
    />
  )
}

type NumberProps = {
  label: string
  value: number
  /** Undefined, for an emptied field, is the default. */
  onChange: (number: number | undefined) => void
  min: number
  max: number
}

/** A whole number of the filter, taken when the field is left or Enter is pressed. Any other text is ignored. */
function FilterNumber({ value, onChange, ...field }: NumberProps) {
  const [typed, setTyped] = useState<number | ''>(value)
  const take = () => {
    if (typed !== value && !Number.isNaN(typed)) onChange(typed === '' ? undefined : typed)
  }
  return (
    <NumberField
      {...field}
      value={typed}
      onChange={setTyped}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}
