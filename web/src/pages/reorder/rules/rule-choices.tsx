import { Select } from '@mantine/core'
import { useState } from 'react'
import type { ReorderMode, ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { notifyRefused } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { type RuleQuery, useRuleChange } from './change-rule.ts'

type Props = { rule: ReorderRule; query: RuleQuery }

const modes: { value: ReorderMode; label: string }[] = [
  { value: 'manual', label: 'Manual' },
  { value: 'auto', label: 'Automatic' },
]

export function RuleMode({ rule, query }: Props) {
  const change = useRuleChange(query, notifyRefused)
  return (
    <Select
      aria-label={`Mode of ${rule.title}`}
      data={modes}
      value={rule.mode}
      onChange={(mode) => {
        if (mode && mode !== rule.mode) change.mutate({ params: { id: rule.id }, body: { mode } })
      }}
      allowDeselect={false}
      checkIconPosition="right"
      w={124}
    />
  )
}

export function RuleSupplier({ rule, query }: Props) {
  const [error, setError] = useState<string>()
  const change = useRuleChange(query, (refusal) => {
    const message = fieldErrors(refusal).supplierId
    if (message) setError(message)
    else notifyRefused(refusal)
  })
  const { id, title, supplierId, supplierName } = rule
  return (
    <SupplierPicker
      label={`Supplier of ${title}`}
      isLabelHidden
      placeholder="None yet"
      value={supplierId}
      known={supplierId === null ? undefined : { id: supplierId, name: supplierName ?? '' }}
      onChange={(chosen) => {
        setError(undefined)
        if (chosen !== supplierId) change.mutate({ params: { id }, body: { supplierId: chosen } })
      }}
      isClearable
      error={error}
    />
  )
}
