import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

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
  const tell = useDebouncedCallback((typed: string, page: string) => {
    // whoever has gone elsewhere meanwhile, to a page that is still on its way, must not be brought back
    if (location.pathname !== page) return
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
        tell(event.currentTarget.value, location.pathname)
      }}
      autoComplete="off"
    />
  )
}
