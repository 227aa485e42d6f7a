import { NumberInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { notifyRefused } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { type RuleQuery, useRuleChange } from './change-rule.ts'
import classes from './rule-list.module.css'

type Props = {
  rule: ReorderRule
  query: RuleQuery
  field: 'reorderPoint' | 'reorderQuantity' | 'serviceLevel' | 'reviewDays'
  name: string
  /** Where no column says the name. */
  isNamed?: boolean
  suffix?: string
}

/** A number of a rule. Enter saves it, and so does leaving the field; Escape takes back what was typed. */
export function RuleNumber({ rule, query, field, name, isNamed, suffix }: Props) {
  /** What is being typed; null while nobody types. */
  const [typed, setTyped] = useState<number | string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const change = useRuleChange(query, (error, { body }) => {
    const message = fieldErrors(error)[field]
    if (message) setFault(`${body[field]} was not saved. ${message}`)
    else notifyRefused(error)
  })
  const save = () => {
    setTyped(null)
    if (typed === null || typed === '' || Number(typed) === rule[field]) return
    setFault(null)
    change.mutate({ params: { id: rule.id }, body: { [field]: Number(typed) } })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save()
    if (event.key !== 'Escape') return
    setTyped(null)
    setFault(null)
  }
  return (
    <NumberInput
      {...(isNamed && { label: name })}
      aria-label={`${name} of ${rule.title}`}
      value={typed ?? rule[field]}
      onChange={(value) => setTyped(value === rule[field] ? null : value)}
      onKeyDown={onKeyDown}
      onBlur={save}
      allowDecimal={false}
      allowNegative={false}
      hideControls
      suffix={suffix}
      size="sm"
      w={isNamed ? undefined : 96}
      ml={isNamed ? undefined : 'auto'}
      classNames={{ input: isNamed ? undefined : classes.number }}
      error={fault}
    />
  )
}
