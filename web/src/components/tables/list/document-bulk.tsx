import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../feedback/confirm.tsx'
import { notifyDone } from '../../feedback/notify.ts'
import { useFormat } from '../../shop/format.ts'
import { ExportSelected } from './export-selected.tsx'
import type { Selection } from './use-selection.ts'

/** The API's limit of documents in one request. */
const maxCancelled = { transfer: 100, count: 20 }

type Props<T> = {
  selection: Selection<T>
  path: '/stock-transfers' | '/stock-counts'
  noun: 'transfer' | 'count'
  canCancel: (document: T) => boolean
  /** Why the other selected documents cannot be cancelled here; the dialog ends with it. */
  others: string
}

/** The buttons for selected transfers or counts: CSV, and Cancel for those of them that can be cancelled. */
export function DocumentBulkActions<T extends { id: number }>({
  selection,
  path,
  noun,
  canCancel,
  others,
}: Props<T>) {
  const { count, many } = useFormat()
  // the list may change while the dialog is open, so the dialog keeps the ids of the selection
  const [asked, setAsked] = useState<{ ids: readonly number[]; rest: number } | null>(null)
  const cancel = useChange(`POST ${path}/cancel`, {
    onDone: ({ cancelled }) => {
      setAsked(null)
      selection.clear()
      notifyDone(`${many(cancelled, noun)} cancelled`)
    },
  })
  const { rows } = selection
  const ids = rows.filter(canCancel).map(({ id }) => id)
  const isTooMany = ids.length > maxCancelled[noun]
  const asking = asked?.ids.length ?? 0
  return (
    <>
      <ExportSelected path={path} name={`${noun}s`} ids={rows.map(({ id }) => id)} />
      <Button
        size="xs"
        variant="default"
        disabled={ids.length === 0 || isTooMany}
        onClick={() => setAsked({ ids, rest: rows.length - ids.length })}
      >
        Cancel {noun}s
      </Button>
      {isTooMany && (
        <Text size="xs">
          Select at most {count(maxCancelled[noun])} {noun}s to cancel them.
        </Text>
      )}
      <Confirm
        isOpen={asked !== null}
        title={`Cancel ${many(asking, noun)}?`}
        confirm={`Cancel ${asking === 1 ? `the ${noun}` : many(asking, noun)}`}
        dismiss="Keep as they are"
        isDestructive
        isBusy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => asked && cancel.mutate({ body: { ids: [...asked.ids] } })}
        onCancel={() => setAsked(null)}
      >
        No stock changes. Cancelled {noun}s stay in the list and can no longer be edited.
        {asked && asked.rest > 0 && ` ${count(asked.rest)} of the selected stay as they are: ${others}`}
      </Confirm>
    </>
  )
}
