import { Anchor, Button, List, Modal, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  PurchaseOrderBulkInput,
  PurchaseOrderBulkOutcome,
  PurchaseOrderListItem,
} from '../../../../../shared/schemas/purchase-orders.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { ExportSelected } from '../../../components/tables/list/export-selected.tsx'
import type { Selection } from '../../../components/tables/list/use-selection.ts'

type Action = PurchaseOrderBulkInput['action']

/** The API's limit of orders in one request. */
const maxOrders = 100

const words: Record<
  Action,
  { button: string; title: string; confirm: string; done: string; meaning: string }
> = {
  send: {
    button: 'Send',
    title: 'Send the selected orders?',
    confirm: 'Send orders',
    done: 'sent',
    meaning:
      'Each supplier gets the order by e-mail as a PDF. Suppliers without an address get none. Only complete drafts are sent.',
  },
  cancel: {
    button: 'Cancel orders',
    title: 'Cancel the selected orders?',
    confirm: 'Cancel orders',
    done: 'cancelled',
    meaning:
      'Drafts and sent orders are cancelled. We won’t notify the suppliers. Orders with received goods stay as they are.',
  },
  delete: {
    button: 'Delete',
    title: 'Delete the selected orders?',
    confirm: 'Delete orders',
    done: 'deleted',
    meaning: 'This permanently deletes drafts and cancelled orders. Other orders stay as they are.',
  },
}

type Failed = PurchaseOrderBulkOutcome['failed']

type Props = {
  selection: Selection<PurchaseOrderListItem>
  /** Shows what was refused; the buttons are gone when nothing is selected any more. */
  onFailed: (failed: Failed) => void
}

/** The buttons for selected orders. What was refused stays selected. */
export function OrderBulkActions({ selection, onFailed }: Props) {
  const format = useFormat()
  // the list may change while the dialog is open, so the dialog keeps the ids of the selection
  const [asked, setAsked] = useState<{ action: Action; ids: readonly number[] } | null>(null)
  const { rows } = selection
  const ids = rows.map(({ id }) => id)
  const change = useChange('POST /purchase-orders/bulk', {
    onDone: (outcome, { body }) => {
      setAsked(null)
      onFailed(outcome.failed)
      selection.keep(outcome.failed.map(({ id }) => id))
      if (outcome.done.length > 0) {
        notifyDone(`${format.many(outcome.done.length, 'order')} ${words[body.action].done}`)
      }
    },
  })
  const isTooMany = rows.length > maxOrders
  const shown = asked && words[asked.action]
  return (
    <>
      <ExportSelected path="/purchase-orders" name="purchase-orders" ids={ids} />
      {(Object.keys(words) as Action[]).map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          disabled={isTooMany}
          onClick={() => setAsked({ action: name, ids })}
        >
          {words[name].button}
        </Button>
      ))}
      {isTooMany && <Text size="xs">Select at most {format.count(maxOrders)} orders to change them.</Text>}
      <Confirm
        isOpen={asked !== null}
        title={shown?.title ?? ''}
        confirm={shown?.confirm ?? ''}
        dismiss="Keep as they are"
        isDestructive={asked?.action !== 'send'}
        isBusy={change.isPending}
        error={change.error}
        onConfirm={() => asked && change.mutate({ body: { action: asked.action, ids: [...asked.ids] } })}
        onCancel={() => setAsked(null)}
      >
        {format.many(asked?.ids.length ?? 0, 'order')}: {shown?.meaning}
      </Confirm>
    </>
  )
}

/** The orders that were refused, each with its reason. */
export function FailedOrders({ failed, onClose }: { failed: Failed; onClose: () => void }) {
  const format = useFormat()
  return (
    <Modal
      opened={failed.length > 0}
      onClose={onClose}
      title={`${format.many(failed.length, 'order')} could not be changed`}
    >
      <Stack>
        <List size="sm" spacing="xs">
          {failed.map(({ id, poNumber, message }) => (
            <List.Item key={id}>
              {poNumber ? (
                <Anchor component={Link} to={`/purchase-orders/${id}`} size="sm" underline="always">
                  {poNumber}
                </Anchor>
              ) : (
                'A deleted order'
              )}
              : {message}
            </List.Item>
          ))}
        </List>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Stack>
    </Modal>
  )
}
