import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Supplier } from '../../../../../shared/schemas/suppliers.ts'
import { optimisticUpdate, readQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'

type Props = {
  order: PurchaseOrder
  isOpen: boolean
  onClose: () => void
  returnTo?: RefObject<HTMLElement | null> | undefined
}

/** Asks for confirmation before an order is e-mailed, and shows the recipient. */
export function SendDialog({ order, isOpen, onClose, returnTo }: Props) {
  const { id, poNumber, supplierId, supplierName, status } = order
  const supplier = useQuery({
    ...readQuery('GET /suppliers/:id', { params: { id: supplierId } }),
    enabled: isOpen,
  })
  const isResend = status !== 'draft'
  const send = useChange('POST /purchase-orders/:id/send', {
    optimistic: ({ params }) =>
      optimisticUpdate(
        readQuery('GET /purchase-orders/:id', { params }),
        (now): PurchaseOrder => ({
          ...now,
          status: isResend ? now.status : 'sent',
          emailStatus: 'queued',
          emailReason: '',
        }),
      ),
    onDone: onClose,
  })
  const address = supplier.data && addressOf(supplier.data)
  const noAddress = supplier.data !== undefined && address === undefined
  return (
    <Confirm
      isOpen={isOpen}
      title={isResend ? `E-mail ${poNumber} again?` : `Send ${poNumber}?`}
      confirm={noAddress ? 'Mark as sent' : isResend ? 'E-mail again' : 'Send'}
      isBusy={send.isPending || supplier.isPending}
      error={send.error}
      onConfirm={() => send.mutate({ params: { id }, body: isResend ? { resend: true } : {} })}
      onCancel={onClose}
      returnTo={returnTo}
    >
      {supplier.isPending ? (
        <Skeleton height={14} my={5} />
      ) : noAddress ? (
        <Text>
          Neither {supplierName} nor its contacts have an e-mail address. Add one{' '}
          <TextLink to="/suppliers/$id" params={{ id: supplierId }}>
            to the supplier
          </TextLink>
          , or mark the order as sent and give them the PDF yourself.
        </Text>
      ) : (
        <Text>
          The order will be sent as a PDF to <strong>{address ?? supplierName}</strong>.
          {!isResend && ' Its lines cannot be changed after that.'}
        </Text>
      )}
    </Confirm>
  )
}

/** Chooses the recipient as the API does: the supplier's address, else that of the first contact that has one. */
const addressOf = ({ email, contacts }: Supplier): string | undefined =>
  email || contacts.find((contact) => contact.email)?.email
