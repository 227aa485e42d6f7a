import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import classes from './row-toggle.module.css'

export type OpenRows = {
  isOpen: (id: number) => boolean
  /** Stays the same function. */
  toggle: (id: number) => void
}

/** Which rows show what is below them. */
export function useOpenRows(): OpenRows {
  const [open, setOpen] = useState<readonly number[]>([])
  const toggle = useCallback(
    (id: number) => setOpen((now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id])),
    [],
  )
  return { isOpen: (id) => open.includes(id), toggle }
}

/** The id of what a row shows when it is open. */
export const detailId = (id: number) => `detail-${id}`

type Props = {
  id: number
  name: string
  /** What of, for those who hear the button alone. */
  about: string
  isOpen: boolean
  onToggle: (id: number) => void
}

/** Opens and closes what is below a row. */
export const RowToggle = ({ id, name, about, isOpen, onToggle }: Props) => (
  <UnstyledButton
    className={classes.button}
    aria-expanded={isOpen}
    aria-controls={isOpen ? detailId(id) : undefined}
    aria-label={`${name} ${about}`}
    onClick={() => onToggle(id)}
  >
    {name}
    <IconChevronDown size={14} aria-hidden />
  </UnstyledButton>
)
