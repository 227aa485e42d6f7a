import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { readDay } from './days.ts'

type Props = {
  label: string
  value: string | undefined
  min?: string | undefined
  max?: string | undefined
  error?: string | undefined
  onChange: (day: string | undefined) => void
}

/** A day of a filter. What the merchant has typed in part, such as the year 0002 of 2026, stays in the field and changes no filter. */
export function DayField({ value, onChange, ...field }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const [last, setLast] = useState(value)
  // the back button changes `value` from outside
  if (value !== last) {
    setLast(value)
    if (readDay(typed) !== value) setTyped(null)
  }
  return (
    <TextInput
      {...field}
      type="date"
      value={typed ?? value ?? ''}
      onChange={({ currentTarget }) => {
        const { value: text, validity } = currentTarget
        setTyped(text)
        const isCleared = text === '' && !validity.badInput
        if (isCleared || readDay(text)) onChange(text || undefined)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}
