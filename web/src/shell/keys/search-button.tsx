import { UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import classes from './keys.module.css'
import { useOpenPalette } from './keys.tsx'

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

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
        {isApple ? '⌘ K' : 'Ctrl K'}
      </span>
    </UnstyledButton>
  )
}
