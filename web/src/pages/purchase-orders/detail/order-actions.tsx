import { Button, Menu } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { useChange } from '../../../api/queries.ts'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { MoreMenu } from '../../../components/layout/more-menu.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { PdfButton } from '../../../components/layout/pdf-button.tsx'
import { useSettings } from '../../../components/shop/settings.tsx'
import { dayOf } from '../../../components/shop/shop-days.ts'
import { EndDialog, type Ending } from './end-dialog.tsx'
import { downloadLines, type LinesFile } from './open-pdf.ts'
import { SendDialog } from './send-dialog.tsx'

/** The buttons of an order, which depend on its status. */
export function OrderActions({ order }: { order: PurchaseOrder }) {
  const more = useRef<HTMLButtonElement>(null)
  const [isSending, setSending] = useState(false)
  const [ending, setEnding] = useState<Ending | null>(null)
  const navigate = usePageNavigate()
  const duplicate = useChange('POST /purchase-orders/:id/duplicate', {
    onDone: async (created) => {
      await navigate({ to: '/purchase-orders/$id', params: { id: created.id } })
      notifyDone(`${created.poNumber} created`)
    },
    onRefused: notifyRefused,
  })
  const { currency, timeZone } = useSettings()
  const today = dayOf(new Date().toISOString(), timeZone)
  const csv = useMutation({
    mutationFn: (template: LinesFile) => downloadLines(order, template, today),
    onError: notifyRefused,
  })
  const { id, status, lineItems } = order
  const isDraft = status === 'draft'
  const isForeign = order.currency !== currency
  const isAwaitingReceipt = status === 'sent' || status === 'partial'
  const endings: Ending[] = [
    ...(isAwaitingReceipt ? (['close'] as const) : []),
    ...(isDraft || status === 'sent' ? (['cancel'] as const) : []),
    ...(isDraft || status === 'cancelled' ? (['delete'] as const) : []),
  ]
  return (
    <>
      <PdfButton path={`/purchase-orders/${id}/pdf`} file={`${order.poNumber}.pdf`} />
      {(isDraft || isAwaitingReceipt || (status === 'received' && isForeign)) && (
        <LinkButton
          variant="default"
          to="/purchase-orders/$id/edit"
          params={{ id }}
          leftSection={<IconPencil size={16} />}
        >
          Edit
        </LinkButton>
      )}
      <MoreMenu button={more}>
        {isAwaitingReceipt && (
          <Menu.Item onClick={() => navigate({ to: '/purchase-orders/$id/scan', params: { id } })}>
            Receive by scanning
          </Menu.Item>
        )}
        {isAwaitingReceipt && <Menu.Item onClick={() => setSending(true)}>E-mail again</Menu.Item>}
        {isAwaitingReceipt && (
          <Menu.Item onClick={() => navigate({ to: '/purchase-orders/$id/revise', params: { id } })}>
            Revise lines
          </Menu.Item>
        )}
        <Menu.Item onClick={() => duplicate.mutate({ params: { id } })}>Duplicate</Menu.Item>
        <Menu.Item onClick={() => csv.mutate('plain')}>Download lines as CSV</Menu.Item>
        <Menu.Item onClick={() => csv.mutate('mail')}>Download the supplier's CSV</Menu.Item>
        <Menu.Item onClick={() => csv.mutate('platform')}>Download for your shop admin</Menu.Item>
        {endings.map((name) => (
          <Menu.Item
            key={name}
            onClick={() => setEnding(name)}
            color={name === 'close' ? undefined : 'red.9'}
          >
            {endingLabels[name]}
          </Menu.Item>
        ))}
      </MoreMenu>
      {isDraft && (
        <Button onClick={() => setSending(true)} disabled={lineItems.length === 0}>
          Send
        </Button>
      )}
      {isAwaitingReceipt && (
        <LinkButton to="/purchase-orders/$id/receive" params={{ id }}>
          Receive
        </LinkButton>
      )}
      <SendDialog
        order={order}
        isOpen={isSending}
        onClose={() => setSending(false)}
        returnTo={isAwaitingReceipt ? more : undefined}
      />
      <EndDialog order={order} ending={ending} onClose={() => setEnding(null)} returnTo={more} />
    </>
  )
}

const endingLabels: Record<Ending, string> = {
  close: 'Close order',
  cancel: 'Cancel order',
  delete: 'Delete',
}
