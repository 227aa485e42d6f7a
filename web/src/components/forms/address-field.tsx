import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { TagsInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FieldErrors } from './form-errors.ts'

type Props = {
  label: string
  description?: ReactNode
  /** Of the field in the request, for its errors. */
  name: string
  value: readonly string[]
  onChange: (addresses: string[]) => void
  errors: FieldErrors
  suggestions?: string[]
  maxCount?: number
  /** Takes the focus when the dialog around it opens. */
  isFirstInDialog?: boolean
}

/** E-mail addresses as chips. A comma, a semicolon, a space, Enter and leaving the field end an address. */
export const AddressField = (props: Props) => {
  const {
    label,
    description,
    name,
    value,
    onChange,
    errors,
    suggestions = [],
    maxCount,
    isFirstInDialog,
  } = props
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'name@example.com' : ''}
      data={suggestions}
      splitChars={[',', ';', ' ']}
      {...(maxCount !== undefined && { maxTags: maxCount })}
      value={[...value]}
      onChange={(list) => onChange(list.flatMap(splitAddresses).slice(0, maxCount))}
      error={listError(errors, name, value)}
      data-autofocus={isFirstInDialog || undefined}
    />
  )
}

/** The error of a list, or of its first wrong address, which it names. */
function listError(errors: FieldErrors, name: string, list: readonly string[]): string | undefined {
  const at = list.findIndex((_address, index) => errors[`${name}.${index}`])
  return at === -1 ? errors[name] : `${list[at]}: ${errors[`${name}.${at}`]}`
}

/** A pasted list is several addresses. */
const splitAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
