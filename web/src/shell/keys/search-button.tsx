import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { commandKey } from './command-key.ts'
import classes from './keys.module.css'
import { useOpenPalette } from './keys.tsx'

/** Opens the palette without its keys. */
export function SearchButton({ onClick }: { onClick?: () => void }) {
  const openPalette = useOpenPalette()
  return (
    <UnstyledButton
      className={classes.search}
      onClick={() => {
        onClick?.()
        openPalette()
      }}
    >
      <IconSearch size={16} aria-hidden />
      Search
      <span className={classes.searchKeys} aria-hidden>
        {commandKey} K
      </span>
    </UnstyledButton>
  )
}
