import { Button, Menu } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { MoreMenu } from '../../../components/layout/more-menu.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { linesByVariant, sumOf } from '../variant-lines.ts'
import { CloseDialog } from './close-dialog.tsx'
import type { NextStatus, TransferStep } from './transfer-step.ts'

const MenuLink = createLink((props: ComponentProps<'a'> & { children?: ReactNode }) => (
  <Menu.Item component="a" {...props} />
))

type Props = { transfer: StockTransfer; step: TransferStep }

/**
 * The actions of a transfer by its status; the first is the main button. Each dialog says what happens to the stock.
 *   pending     ship, edit, ship a part, ship and complete, cancel
 *   in_transit  receive, edit the notes, ship the rest, complete, close, cancel
 *   partial     receive or ship the rest, edit the notes, complete, close
 *   completed   none
 *   cancelled   none
 */
export function TransferActions({ transfer, step }: Props) {
  const { many } = useFormat()
  const more = useRef<HTMLButtonElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const [isClosing, setClosing] = useState(false)
  const { id, status, items } = transfer
  const params = { id }
  const isPending = status === 'pending'
  const isOpen = isPending || status === 'in_transit' || status === 'partial'
  const isMoving = items.some(({ inTransit }) => inTransit > 0)
  const isRestToShip = !isPending && linesByVariant(transfer).some(({ toShip }) => toShip > 0)
  const { title, text, confirm } = dialogText(transfer, step.requested, many)
  const isFromMenu = step.requested !== 'in_transit'
  return (
    <>
      {isOpen && (
        <>
          <LinkButton
            variant="default"
            to="/transfers/$id/edit"
            params={params}
            leftSection={<IconPencil size={16} />}
          >
            Edit
          </LinkButton>
          <MoreMenu button={more}>
            {isPending && (
              <>
                <MenuLink to="/transfers/$id/ship" params={params}>
                  Ship a part
                </MenuLink>
                <Menu.Item onClick={() => step.openDialog('completed')}>Ship and complete now</Menu.Item>
              </>
            )}
            {isRestToShip && isMoving && (
              <MenuLink to="/transfers/$id/ship" params={params}>
                Ship the rest
              </MenuLink>
            )}
            {isMoving && (
              <Menu.Item onClick={() => step.openDialog('completed')}>Complete: all has arrived</Menu.Item>
            )}
            {!isPending && <Menu.Item onClick={() => setClosing(true)}>Close the transfer</Menu.Item>}
            {status !== 'partial' && (
              <Menu.Item color="red.9" onClick={() => step.openDialog('cancelled')}>
                Cancel the transfer
              </Menu.Item>
            )}
          </MoreMenu>
          {isPending && (
            <Button ref={next} onClick={() => step.openDialog('in_transit')}>
              Ship
            </Button>
          )}
          {isMoving && (
            <LinkButton to="/transfers/$id/receive" params={params}>
              Receive
            </LinkButton>
          )}
          {isRestToShip && !isMoving && (
            <LinkButton to="/transfers/$id/ship" params={params}>
              Ship the rest
            </LinkButton>
          )}
          <CloseDialog
            transfer={transfer}
            isOpen={isClosing}
            onClose={() => setClosing(false)}
            returnTo={more}
          />
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
  { id, status, items, sourceLocationName: source, destinationLocationName: destination }: StockTransfer,
  next: NextStatus,
  many: Format['many'],
) {
  const moving = many(
    sumOf(items, ({ inTransit }) => inTransit),
    'piece',
  )
  if (next === 'in_transit') {
    const text = `The stock leaves ${source} now, here and in your shop, and is added at ${destination} when you receive it. You cannot change the products of the transfer after shipping.`
    return { title: `Ship transfer #${id}?`, text, confirm: 'Ship' }
  }
  if (next === 'completed') {
    const text =
      status === 'pending'
        ? `The stock moves from ${source} to ${destination} now, here and in your shop.`
        : `All that is in transit (${moving}) is added at ${destination}, here and in your shop. If something is missing or broken, receive it line by line instead.`
    return { title: `Complete transfer #${id}?`, text, confirm: 'Complete' }
  }
  const text =
    status === 'pending'
      ? 'No stock changes. The transfer stays in the list as cancelled.'
      : `The stock in transit (${moving}) goes back to ${source}, here and in your shop. The transfer stays in the list as cancelled.`
  return { title: `Cancel transfer #${id}?`, text, confirm: 'Cancel the transfer' }
}
