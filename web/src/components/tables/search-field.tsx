import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useDebounce } from '../forms/debounce.ts'

type Props = { label: string; value: string; onSearch: (words: string) => void; placeholder?: string }

/** Tells what is looked for when the typing pauses. `value` is what is looked for now, as the address says. */
export function SearchField({ label, value, onSearch, placeholder }: Props) {
  const [words, setWords] = useState(value)
  const [told, setTold] = useState(value)
  // the back button changes what is looked for, too
  if (value !== told) {
    setTold(value)
    setWords(value)
  }
  const { debounce } = useDebounce((typed: string) => {
    setTold(typed.trim())
    onSearch(typed.trim())
  }, 300)
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      value={words}
      maxLength={200}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => {
        setWords(event.currentTarget.value)
        debounce(event.currentTarget.value)
      }}
      autoComplete="off"
    />
  )
}
