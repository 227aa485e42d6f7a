import { Button, Menu } from '@mantine/core'
import { IconDots, IconPencil } from '@tabler/icons-react'
import { useRef } from 'react'
import type { StockTransfer } from '../../../../shared/schemas/stock-transfers.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { LinkButton } from '../../components/layout/link-button.tsx'
import type { NextStatus, TransferStep } from './transfer-step.ts'

type Props = { transfer: StockTransfer; step: TransferStep }

/**
 * The actions of a transfer by its status; the first is the main button. Each dialog says what happens to the stock.
 *   pending     ship, edit, ship and complete, cancel
 *   in_transit  complete, edit the notes, cancel
 *   completed   none
 *   cancelled   none
 */
export function TransferActions({ transfer, step }: Props) {
  const more = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const { id, status } = transfer
  const isPending = status === 'pending'
  const { title, text, confirm } = dialogText(transfer, step.requested)
  const isFromMenu = step.requested === 'cancelled' || (isPending && step.requested === 'completed')
  return (
    <>
      {(isPending || status === 'in_transit') && (
        <>
          <LinkButton
            variant="default"
            to="/transfers/$id/edit"
            params={{ id }}
            leftSection={<IconPencil size={16} />}
          >
            Edit
          </LinkButton>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button ref={more} variant="default" aria-label="More" px="xs">
                <IconDots size={16} />
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {isPending && (
                <Menu.Item onClick={() => step.openDialog('completed')}>Ship and complete now</Menu.Item>
              )}
              <Menu.Item color="red.9" onClick={() => step.openDialog('cancelled')}>
                Cancel the transfer
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button ref={next} onClick={() => step.openDialog(isPending ? 'in_transit' : 'completed')}>
            {isPending ? 'Ship' : 'Complete'}
          </Button>
        </>
      )}
      <Confirm
        isOpen={step.isDialogOpen}
        title={title}
        confirm={confirm}
        dismiss={step.requested === 'cancelled' ? 'Keep the transfer' : undefined}
        isDestructive={step.requested === 'cancelled'}
        isBusy={step.isBusy}
        error={step.error}
        onConfirm={() => step.changeStatus(step.requested)}
        onCancel={step.closeDialog}
        returnTo={isFromMenu ? more : next}
      >
        {text}
      </Confirm>
    </>
  )
}

function dialogText(
  { id, status, sourceLocationName: source, destinationLocationName: destination }: StockTransfer,
  next: NextStatus,
) {
  if (next === 'in_transit') {
    const text = `The stock leaves ${source} now, here and in your shop, and is added at ${destination} when you complete the transfer. You cannot change its products after shipping.`
    return { title: `Ship transfer #${id}?`, text, confirm: 'Ship' }
  }
  if (next === 'completed') {
    const text =
      status === 'pending'
        ? `The stock moves from ${source} to ${destination} now, here and in your shop. You cannot undo this; create a transfer back instead.`
        : `The stock is added at ${destination}, here and in your shop. You cannot undo this; create a transfer back instead.`
    return { title: `Complete transfer #${id}?`, text, confirm: 'Complete' }
  }
  const text =
    status === 'pending'
      ? 'No stock changes. The transfer stays in the list as cancelled.'
      : `The stock goes back to ${source}, here and in your shop. The transfer stays in the list as cancelled.`
  return { title: `Cancel transfer #${id}?`, text, confirm: 'Cancel the transfer' }
}
