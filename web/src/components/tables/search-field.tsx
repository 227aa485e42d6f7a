import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useDebounce } from '../forms/debounce.ts'

type Props = { label: string; value: string; onSearch: (text: string) => void; placeholder?: string }

/** Calls `onSearch` when typing pauses for 300 ms. `value` is the current search in the URL. */
export function SearchField({ label, value, onSearch, placeholder }: Props) {
  const [text, setText] = useState(value)
  const [reported, setReported] = useState(value)
  // the back button changes the search in the URL
  if (value !== reported) {
    setReported(value)
    setText(value)
  }
  const { debounce } = useDebounce((typed: string) => {
    setReported(typed.trim())
    onSearch(typed.trim())
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
