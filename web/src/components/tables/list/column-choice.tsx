import { Button, Checkbox, Popover, Stack } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useState } from 'react'
import { openLocalStore } from '../../../browser/local-store.ts'
import type { Column } from '../row-table.tsx'

const store = openLocalStore<string[]>('columns')

/** The columns of a list, of which the merchant chose some. */
export type ColumnChoice<T> = {
  all: readonly Column<T>[]
  shown: readonly Column<T>[]
  /** Names of the shown columns; null: those that the list shows first. */
  chosen: readonly string[] | null
  choose: (names: readonly string[] | null) => void
}

/**
 * Which columns a list shows. The first column and those of buttons are always shown; a column with `isOptional` only when it
 * is chosen. The device keeps the choice by list, and a saved view has it, too.
 */
export function useColumnChoice<T>(list: string, all: readonly Column<T>[]): ColumnChoice<T> {
  const [chosen, setChosen] = useState<readonly string[] | null>(
    () => store.all().find(([name]) => name === list)?.[1] ?? null,
  )
  return {
    all,
    chosen,
    shown: all.filter((column, at) => at === 0 || column.isAction || isShown(column, chosen)),
    choose: (names) => {
      setChosen(names)
      if (names) store.put(list, [...names])
      else store.remove(list)
    },
  }
}

const isShown = ({ name, isOptional }: Column<never>, chosen: readonly string[] | null) =>
  chosen ? chosen.includes(name) : !isOptional

/** The button with a checkbox for each column. */
export function ColumnMenu<T>({ choice: { all, chosen, choose } }: { choice: ColumnChoice<T> }) {
  const choosable = all.slice(1).filter(({ isAction }) => !isAction)
  const now = choosable.filter((column) => isShown(column as Column<never>, chosen)).map(({ name }) => name)
  return (
    <Popover position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={14} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          {choosable.map(({ name }) => (
            <Checkbox
              key={name}
              label={name}
              checked={now.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                choose(checked ? [...now, name] : now.filter((other) => other !== name))
              }
            />
          ))}
          <Button variant="default" size="xs" disabled={chosen === null} onClick={() => choose(null)}>
            Reset columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
