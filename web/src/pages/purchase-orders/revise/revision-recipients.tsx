import { useQuery } from '@tanstack/react-query'
import type { PurchaseOrder, SendPreview } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery } from '../../../api/queries.ts'
import { TextLink } from '../../../components/layout/link-button.tsx'

/** The recipients of the revision's e-mail; undefined while they are read, and when they cannot be. */
export function useRevisionRecipients({ id }: PurchaseOrder, isRevisable: boolean) {
  const preview = useQuery({
    ...readQuery('GET /purchase-orders/:id/send-preview', { params: { id }, query: { attachments: false } }),
    enabled: isRevisable,
    // the addresses follow the supplier, so each opening reads them again
    gcTime: 0,
  })
  return preview.data
}

type Props = { order: PurchaseOrder; recipients: Pick<SendPreview, 'to' | 'cc'> | undefined }

/** Names the recipients of the difference before it is saved. */
export function RevisionRecipients({ order: { supplierId, supplierName }, recipients }: Props) {
  if (!recipients) return <>{supplierName} gets an e-mail with the difference.</>
  const { to, cc } = recipients
  if (to.length === 0) {
    return (
      <>
        No e-mail is sent: neither {supplierName} nor its contacts have an e-mail address. Add one{' '}
        <TextLink to="/suppliers/$id" params={{ id: supplierId }}>
          to the supplier
        </TextLink>
        , or give them the new PDF yourself.
      </>
    )
  }
  const copies = cc.length > 0 && `, with a copy to ${cc.join(', ')}`
  return (
    <>
      The difference is e-mailed to {to.join(', ')}
      {copies}.
    </>
  )
}
