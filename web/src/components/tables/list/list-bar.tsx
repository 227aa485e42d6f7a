import { Button, Checkbox, Menu } from '@mantine/core'
import { IconArrowsSort, IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFormat } from '../../shop/format.ts'
import { type ColumnChoice, ColumnMenu } from './column-choice.tsx'
import classes from './list-bar.module.css'
import type { Sorting } from './sorting.ts'
import type { Selection } from './use-selection.ts'

type Props<T> = {
  label: string
  loaded: number
  /** The size of the list, when it is known. */
  count: { total: number; isExact: boolean } | undefined
  hasMore: boolean
  isPending: boolean
  sort?: Sorting | undefined
  columns?: ColumnChoice<T> | undefined
  views?: ReactNode
  selection?: Selection<T> | undefined
  bulkActions?: ((selection: Selection<T>) => ReactNode) | undefined
}

/** The bar above a list: what is selected and what can be done with it; else the row count, and the menus of sort, columns and views. */
export function ListBar<T>({
  label,
  loaded,
  count,
  hasMore,
  isPending,
  sort,
  columns,
  views,
  selection,
  bulkActions,
}: Props<T>) {
  const format = useFormat()
  const selected = selection?.rows.length ?? 0
  const box = useRef<HTMLInputElement>(null)
  const hadSelection = useRef(false)
  const actions = useRef<HTMLFieldSetElement>(null)
  // the button that had the focus is hidden with the selection, at once or below a dialog that closes later
  useEffect(() => {
    const wasSelected = hadSelection.current
    hadSelection.current = selected > 0
    if (!wasSelected || selected > 0) return
    const isInDialog = () => document.querySelector('[role="dialog"]') !== null
    const takeFocus = () => {
      const { activeElement } = document
      if (activeElement !== document.body && !actions.current?.contains(activeElement)) return
      box.current?.focus({ preventScroll: true })
    }
    if (!isInDialog()) return takeFocus()
    const observer = new MutationObserver(() => {
      if (isInDialog()) return
      observer.disconnect()
      takeFocus()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [selected])
  const total = count && `${format.count(count.total)}${count.isExact ? '' : '+'}`
  const size = total ? `${format.count(loaded)} of ${total}` : `${format.count(loaded)}${hasMore ? '+' : ''}`
  return (
    <div className={classes.bar} data-selected={selected > 0 || undefined}>
      {selection && (
        <Checkbox
          ref={box}
          aria-label={`Select all loaded rows of ${label}`}
          checked={selection.isAll}
          indeterminate={selected > 0 && !selection.isAll}
          disabled={loaded === 0}
          onChange={selection.toggleAll}
        />
      )}
      <span className={classes.count} role="status">
        {isPending ? '' : selected > 0 ? `${format.count(selected)} selected` : size}
      </span>
      {/* hidden, not removed: an open dialog of theirs keeps its input when a reload takes the last selected row away */}
      {selection && (
        <fieldset
          ref={actions}
          className={classes.actions}
          hidden={selected === 0}
          aria-label="Actions for the selected rows"
        >
          {bulkActions?.(selection)}
          <Button variant="subtle" size="xs" color="dark" onClick={selection.clear}>
            Clear selection
          </Button>
        </fieldset>
      )}
      {selected === 0 && (
        <div className={classes.menus}>
          {sort && <SortMenu {...sort} />}
          {columns && <ColumnMenu choice={columns} />}
          {views}
        </div>
      )}
    </div>
  )
}

const SortMenu = ({ value, first, options, onSort }: Sorting) => {
  const now = options.find((option) => option.value === (value ?? first))
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconArrowsSort size={14} aria-hidden />}
          aria-label={`Sort: ${now?.label ?? ''}`}
        >
          Sort
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map((option) => (
          <Menu.Item
            key={option.value}
            leftSection={option === now ? <IconCheck size={14} aria-hidden /> : <span />}
            aria-current={option === now || undefined}
            onClick={() => onSort(option.value === first ? undefined : option.value)}
          >
            {option.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
