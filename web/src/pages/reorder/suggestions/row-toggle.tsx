import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import classes from './row-toggle.module.css'

export type OpenRows = {
  isOpen: (id: number) => boolean
  /** Keeps its identity, so that memoized rows do not render again. */
  toggle: (id: number) => void
}

/** The rows that are expanded. */
export function useOpenRows(): OpenRows {
  const [open, setOpen] = useState<readonly number[]>([])
  const toggle = useCallback(
    (id: number) =>
      setOpen((now) => (now.includes(id) ? now.filter((openId) => openId !== id) : [...now, id])),
    [],
  )
  return { isOpen: (id) => open.includes(id), toggle }
}

export const detailId = (id: number) => `detail-${id}`

type Props = {
  id: number
  name: string
  /** The subject of the row, for screen readers. */
  about: string
  isOpen: boolean
  onToggle: (id: number) => void
}

/** Expands and collapses the detail of a row. */
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
