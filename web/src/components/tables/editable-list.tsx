import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { Confirm } from '../feedback/confirm.tsx'
import { PageBody, PageHeader } from '../layout/page.tsx'
import { DataList } from './data-list.tsx'
import type { Column } from './row-table.tsx'

type Props<T> = {
  title: string
  back?: ComponentProps<typeof PageHeader>['back']
  query: ComponentProps<typeof DataList<T>>['query']
  columns: readonly Column<T>[]
  nameOf: (row: T) => string
  empty: { title: string; text: string }
  /** The label of the button. */
  add: string
  /** The dialog of a row, of a new one, or closed. */
  dialog: (edited: T | 'new' | null, close: () => void) => ReactNode
  removal: {
    title: string
    confirm: string
    dismiss: string
    /** What the removal keeps and what it ends, for the dialog. */
    meaning: string
    isBusy: boolean
    error: unknown
    run: (row: T, close: () => void) => void
  }
}

/** A page with a list whose rows are added and edited in a dialog, and deleted. */
export function EditableList<T extends { id: number }>({
  title,
  back,
  query,
  columns,
  nameOf,
  empty,
  add,
  dialog,
  removal,
}: Props<T>) {
  const [edited, setEdited] = useState<T | 'new' | null>(null)
  const [removed, setRemoved] = useState<T | null>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const { meaning, run, ...words } = removal
  const actions: Column<T> = {
    name: 'Actions',
    isAction: true,
    cell: (row) => (
      <>
        <Button size="xs" variant="default" onClick={() => setEdited(row)} aria-label={`Edit ${nameOf(row)}`}>
          Edit
        </Button>{' '}
        <Button
          size="xs"
          variant="default"
          onClick={() => setRemoved(row)}
          aria-label={`Delete ${nameOf(row)}`}
        >
          Delete
        </Button>
      </>
    ),
  }
  const button = (
    <Button ref={addButton} leftSection={<IconPlus size={16} />} onClick={() => setEdited('new')}>
      {add}
    </Button>
  )
  return (
    <PageBody>
      <PageHeader title={title} {...(back && { back })} actions={button} />
      <DataList
        label={title}
        query={query}
        columns={[...columns, actions]}
        keyOf={({ id }) => id}
        empty={{ ...empty, action: button }}
      />
      {dialog(edited, () => setEdited(null))}
      <Confirm
        isOpen={removed !== null}
        {...words}
        isDestructive
        onConfirm={() => removed && run(removed, () => setRemoved(null))}
        onCancel={() => setRemoved(null)}
        returnTo={addButton}
      >
        {meaning}
      </Confirm>
    </PageBody>
  )
}
