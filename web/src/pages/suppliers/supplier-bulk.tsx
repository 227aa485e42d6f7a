import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import type { SupplierListItem } from '../../../../shared/schemas/suppliers.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone, notifyRefused } from '../../components/feedback/notify.ts'
import { useFormat } from '../../components/shop/format.ts'
import type { Selection } from '../../components/tables/list/use-selection.ts'

/** The API's limit of suppliers in one request. */
const maxSuppliers = 500

type Props = { selection: Selection<SupplierListItem>; isArchived: boolean }

/** The button for selected suppliers: Archive in the list of active ones, Restore in that of archived ones. */
export function SupplierBulkActions({ selection, isArchived }: Props) {
  const { count, many } = useFormat()
  // the list may change while the dialog is open, so the dialog keeps the ids of the selection
  const [archiving, setArchiving] = useState<readonly SupplierListItem[] | null>(null)
  const archive = useChange('POST /suppliers/archive', {
    onDone: ({ archived, rules }) => {
      setArchiving(null)
      selection.clear()
      const ofRules = rules === 0 ? '' : `; ${many(rules, 'reorder rule')} now without a supplier`
      notifyDone(`${many(archived, 'supplier')} archived${ofRules}`)
    },
  })
  const restore = useChange('POST /suppliers/restore', {
    onDone: ({ restored }) => {
      selection.clear()
      notifyDone(`${many(restored, 'supplier')} restored`)
    },
    onRefused: notifyRefused,
  })
  const ids = selection.rows.map(({ id }) => id)
  const isTooMany = ids.length > maxSuppliers
  return (
    <>
      {isArchived ? (
        <Button
          size="xs"
          variant="default"
          disabled={isTooMany}
          loading={restore.isPending}
          onClick={() => restore.mutate({ body: { ids } })}
        >
          Restore
        </Button>
      ) : (
        <Button size="xs" variant="default" disabled={isTooMany} onClick={() => setArchiving(selection.rows)}>
          Archive
        </Button>
      )}
      {isTooMany && <Text size="xs">Select at most {count(maxSuppliers)} suppliers.</Text>}
      <Confirm
        isOpen={archiving !== null}
        title={`Archive ${many(archiving?.length ?? 0, 'supplier')}?`}
        confirm="Archive"
        isBusy={archive.isPending}
        error={archive.error}
        onConfirm={() => archiving && archive.mutate({ body: { ids: archiving.map(({ id }) => id) } })}
        onCancel={() => setArchiving(null)}
      >
        Archived suppliers cannot be ordered from, and reorder rules that name them lose their supplier.
        Orders, products and prices are kept. You can restore suppliers from the Archived list; the rules stay
        without one.
      </Confirm>
    </>
  )
}
