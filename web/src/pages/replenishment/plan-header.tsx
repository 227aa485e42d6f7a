import { NumberInput, Select } from '@mantine/core'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import { Filters } from '../../components/tables/filters.tsx'
import { basisOptions, defaultDays, type PlanFilter } from './plan-filter.ts'

type Props = {
  filter: PlanFilter
  onChange: (change: { [K in keyof PlanFilter]?: PlanFilter[K] | undefined }) => void
}

/** Supplier, days, basis and growth. Numbers are taken when the field is left. */
export const PlanHeader = ({ filter, onChange }: Props) => (
  <Filters>
    <SupplierPicker
      label="Supplier"
      value={filter.supplierId ?? null}
      onChange={(supplierId) => onChange({ supplierId: supplierId ?? undefined })}
      placeholder="All suppliers"
      isClearable
    />
    <NumberInput
      key={`days ${filter.days}`}
      label="Order for days"
      defaultValue={filter.days ?? defaultDays}
      onBlur={(event) => onChange({ days: numberIn(event.currentTarget.value, 1, 365) })}
      allowDecimal={false}
      min={1}
      max={365}
      hideControls
    />
    <Select
      label="Based on"
      data={basisOptions}
      value={filter.basis ?? 'forecast'}
      onChange={(basis) => onChange({ basis: basisOptions.find(({ value }) => value === basis)?.value })}
      allowDeselect={false}
      checkIconPosition="right"
    />
    <NumberInput
      key={`growth ${filter.growth}`}
      label="Growth in %"
      defaultValue={filter.growth ?? 0}
      onBlur={(event) => onChange({ growth: numberIn(event.currentTarget.value, -90, 900) })}
      allowDecimal={false}
      min={-90}
      max={900}
      hideControls
    />
  </Filters>
)

function numberIn(text: string, min: number, max: number): number | undefined {
  const number = Number(text)
  return text.trim() !== '' && Number.isInteger(number) ? Math.min(max, Math.max(min, number)) : undefined
}
