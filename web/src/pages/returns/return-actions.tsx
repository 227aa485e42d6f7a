import { Button, Menu } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { SupplierReturn } from '../../../../shared/schemas/supplier-returns.ts'
import { useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { MoreMenu } from '../../components/layout/more-menu.tsx'
import { PdfButton } from '../../components/layout/pdf-button.tsx'
import { CreditDialog } from './credit-dialog.tsx'
import type { Shipment } from './shipment.ts'

type Props = { stored: SupplierReturn; shipment: Shipment }
type Dialog = 'ship' | 'credit' | 'cancel' | 'undo'

/**
 * The actions of a return by its state; the last is the main button.
 *   draft      edit, cancel, ship
 *   shipped    undo, enter the credit
 *   credited   correct the credit
 *   cancelled  none but the PDF, which all have
 */
export function ReturnActions({ stored, shipment }: Props) {
  const more = useRef<HTMLButtonElement>(null)
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const { id, number, state } = stored
  const close = () => setDialog(null)
  const isDraft = state === 'draft'
  const isShipped = state === 'shipped'
  return (
    <>
      <PdfButton path={`/supplier-returns/${id}/pdf`} file={`${number}.pdf`} />
      {isDraft && (
        <LinkButton
          variant="default"
          to="/returns/$id/edit"
          params={{ id }}
          leftSection={<IconPencil size={16} />}
        >
          Edit
        </LinkButton>
      )}
      {(isDraft || isShipped) && (
        <MoreMenu button={more}>
          <Menu.Item color="red.9" onClick={() => setDialog(isDraft ? 'cancel' : 'undo')}>
            {isDraft ? 'Cancel the return' : 'Undo the shipment'}
          </Menu.Item>
        </MoreMenu>
      )}
      {isDraft && (
        <Button
          onClick={() => {
            shipment.reset()
            setDialog('ship')
          }}
        >
          Ship
        </Button>
      )}
      {(isShipped || state === 'credited') && (
        <Button variant={isShipped ? 'filled' : 'default'} onClick={() => setDialog('credit')}>
          {isShipped ? 'Enter credit' : 'Correct credit'}
        </Button>
      )}
      <ShipDialog stored={stored} shipment={shipment} isOpen={dialog === 'ship'} onClose={close} />
      <CancelDialog stored={stored} isOpen={dialog === 'cancel'} onClose={close} />
      <UndoDialog stored={stored} isOpen={dialog === 'undo'} onClose={close} />
      <CreditDialog stored={stored} isOpen={dialog === 'credit'} onClose={close} />
    </>
  )
}

type DialogProps = { stored: SupplierReturn; isOpen: boolean; onClose: () => void }

function ShipDialog({ stored, shipment, isOpen, onClose }: DialogProps & { shipment: Shipment }) {
  const { number, supplierName, locationName } = stored
  const { isShort } = shipment
  return (
    <Confirm
      isOpen={isOpen}
      title={isShort ? 'Allow negative stock?' : `Ship ${number}?`}
      confirm={isShort ? 'Ship anyway' : 'Ship'}
      isBusy={shipment.isBusy}
      error={isShort ? undefined : shipment.error}
      onConfirm={() => shipment.start(onClose)}
      onCancel={onClose}
    >
      {isShort
        ? `Not enough stock at ${locationName}. Cancel, and lower the marked quantities; or ship anyway, and stock will go negative until you count it.`
        : `The goods go back to ${supplierName}. Their stock leaves ${locationName} now, here and in your shop.`}
    </Confirm>
  )
}

function CancelDialog({ stored, isOpen, onClose }: DialogProps) {
  const cancel = useChange('POST /supplier-returns/:id/cancel', {
    onDone: ({ number }) => {
      onClose()
      notifyDone(`${number} cancelled`)
    },
  })
  return (
    <Confirm
      isOpen={isOpen}
      title={`Cancel ${stored.number}?`}
      confirm="Cancel the return"
      dismiss="Keep the return"
      isDestructive
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ params: { id: stored.id } })}
      onCancel={onClose}
    >
      No stock changes. The return stays in the list as cancelled.
    </Confirm>
  )
}

function UndoDialog({ stored, isOpen, onClose }: DialogProps) {
  const undo = useChange('POST /supplier-returns/:id/undo', {
    onDone: () => {
      onClose()
      notifyDone(`Undone: stock is at ${stored.locationName} again`)
    },
  })
  return (
    <Confirm
      isOpen={isOpen}
      title={`Undo the shipment of ${stored.number}?`}
      confirm="Undo the shipment"
      isDestructive
      isBusy={undo.isPending}
      error={undo.error}
      onConfirm={() => undo.mutate({ params: { id: stored.id } })}
      onCancel={onClose}
    >
      For goods that came back, or never left: they are added to the stock at {stored.locationName} again,
      here and in your shop. The return stays in the list as cancelled.
    </Confirm>
  )
}
