import { type KeyboardEvent, useState } from 'react'
import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { notifyUndoable } from '../../../components/feedback/notify-undo.tsx'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { NumberField } from '../../../components/forms/number-field.tsx'
import { type RuleQuery, useRuleChange } from './change-rule.ts'
import classes from './rule-list.module.css'

type Props = {
  rule: ReorderRule
  query: RuleQuery
  /** An empty `maxLevel` is no maximum, an empty `serviceLevel` that of the ABC class. */
  field: 'reorderPoint' | 'reorderQuantity' | 'serviceLevel' | 'reviewDays' | 'maxLevel'
  name: string
  /** Shows the name above the field, for use outside of a named column. */
  isNamed?: boolean
  suffix?: string
  placeholder?: string
}

/** A number of a rule. Enter and blur save it; Escape restores the saved number. */
export function RuleNumber({ rule, query, field, name, isNamed, suffix, placeholder }: Props) {
  // the unsaved input; null when the field is not being edited
  const [typed, setTyped] = useState<number | string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const change = useRuleChange(query, (refusal, { body }) => {
    const message = fieldErrors(refusal)[field]
    if (message) setError(`${body[field]} was not saved. ${message}`)
    else notifyRefused(refusal)
  })
  const save = () => {
    // the field says that this is no number
    if (Number.isNaN(typed)) return
    setTyped(null)
    const isCleared = typed === '' && (field === 'maxLevel' || field === 'serviceLevel')
    const value = isCleared ? null : Number(typed)
    if (typed === null || (typed === '' && !isCleared) || value === rule[field]) return
    setError(null)
    const before = rule[field]
    const store = (value: number | null, onSuccess: () => void) =>
      change.mutate({ params: { id: rule.id }, body: { [field]: value } }, { onSuccess })
    store(value, () =>
      notifyUndoable(`${name} of ${rule.title} saved`, () =>
        store(before, () => notifyDone(`${name} of ${rule.title} is ${before ?? 'empty'} again`)),
      ),
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save()
    if (event.key !== 'Escape') return
    setTyped(null)
    setError(null)
  }
  return (
    <NumberField
      {...(isNamed && { label: name })}
      aria-label={`${name} of ${rule.title}`}
      value={typed ?? rule[field] ?? ''}
      onChange={(value) => setTyped(value === rule[field] ? null : value)}
      onKeyDown={onKeyDown}
      onBlur={save}
      suffix={suffix}
      placeholder={placeholder}
      size="sm"
      w={isNamed ? undefined : 76}
      ml={isNamed ? undefined : 'auto'}
      classNames={{ input: isNamed ? undefined : classes.number }}
      error={error}
    />
  )
}
