import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useDebounce } from '../forms/debounce.ts'

type Props = {
  label: string
  /** The search in the address. */
  value: string | undefined
  /** `replace`: the new address takes the place of the one before, so that Back leaves the search in one step. */
  onSearch: (search: string | undefined, options: { replace: boolean }) => void
  placeholder?: string
}

/** Calls `onSearch` when typing pauses for 300 ms. */
export function SearchField({ label, value, onSearch, placeholder }: Props) {
  const [text, setText] = useState(value ?? '')
  const [reported, setReported] = useState(value)
  // the back button changes the search in the address
  if (value !== reported) {
    setReported(value)
    setText(value ?? '')
  }
  const { debounce } = useDebounce((typed: string) => {
    const search = typed.trim() || undefined
    setReported(search)
    onSearch(search, { replace: value !== undefined })
  }, 300)
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      value={text}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => {
        setText(event.currentTarget.value)
        debounce(event.currentTarget.value)
      }}
      autoComplete="off"
    />
  )
}
