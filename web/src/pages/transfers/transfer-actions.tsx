import { Button, Menu } from '@mantine/core'
import { IconDots, IconPencil } from '@tabler/icons-react'
import { useRef } from 'react'
import type { StockTransfer } from '../../../../shared/schemas/stock-transfers.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { LinkButton } from '../../components/layout/link-button.tsx'
import type { NextStatus, TransferStep } from './transfer-step.ts'

type Props = { transfer: StockTransfer; step: TransferStep }

/** What can be done with a transfer in its state; the next step stands out. Each says what it does to the stock. */
export function TransferActions({ transfer, step }: Props) {
  const more = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const { id, status } = transfer
  const isPending = status === 'pending'
  const { title, text, confirm } = wordingOf(transfer, step.asked)
  const isFromMenu = step.asked === 'cancelled' || (isPending && step.asked === 'completed')
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
                <Menu.Item onClick={() => step.ask('completed')}>Ship and complete at once</Menu.Item>
              )}
              <Menu.Item color="red.9" onClick={() => step.ask('cancelled')}>
                Cancel the transfer
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button ref={next} onClick={() => step.ask(isPending ? 'in_transit' : 'completed')}>
            {isPending ? 'Ship' : 'Complete'}
          </Button>
        </>
      )}
      <Confirm
        isOpen={step.isAsked}
        title={title}
        confirm={confirm}
        isDestructive={step.asked === 'cancelled'}
        isBusy={step.isBusy}
        error={step.error}
        onConfirm={() => step.take(step.asked)}
        onCancel={step.dismiss}
        returnTo={isFromMenu ? more : next}
      >
        {text}
      </Confirm>
    </>
  )
}

function wordingOf(
  { id, status, sourceLocationName: source, destinationLocationName: destination }: StockTransfer,
  next: NextStatus,
) {
  if (next === 'in_transit') {
    const text = `The stock leaves ${source} now, here and in your shop. It is at ${destination} when you complete the transfer. Its products cannot be changed after that.`
    return { title: `Ship transfer #${id}?`, text, confirm: 'Ship' }
  }
  if (next === 'completed') {
    const text =
      status === 'pending'
        ? `The stock leaves ${source} and is at ${destination} at once, here and in your shop. This cannot be undone; a transfer the other way moves it back.`
        : `The stock is at ${destination} then, here and in your shop. This cannot be undone; a transfer the other way moves it back.`
    return { title: `Complete transfer #${id}?`, text, confirm: 'Complete' }
  }
  const text =
    status === 'pending'
      ? 'No stock has moved, and none will. The transfer stays in the list, as cancelled.'
      : `The stock goes back to ${source}, here and in your shop. The transfer stays in the list, as cancelled.`
  return { title: `Cancel transfer #${id}?`, text, confirm: 'Cancel the transfer' }
}
