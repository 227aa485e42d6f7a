import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { PurchaseOrder, PurchaseOrderMail } from '../../../../../shared/schemas/purchase-orders.ts'
import { notifyRefused } from '../../../components/feedback/notify.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { openPdf } from './open-pdf.ts'
import classes from './order-mails.module.css'

/** The e-mails of an order, newest first, each with the PDF as the supplier got it. */
export const OrderMails = ({ order }: { order: PurchaseOrder }) =>
  order.mails.length === 0 ? null : (
    <Card title="E-mails to the supplier">
      <ul className={classes.mails}>
        {order.mails.map((mail) => (
          <Mail key={mail.id} order={order} mail={mail} />
        ))}
      </ul>
    </Card>
  )

function Mail({ order, mail }: { order: PurchaseOrder; mail: PurchaseOrderMail }) {
  const { dateTime } = useFormat()
  const pdf = useMutation({ mutationFn: () => openPdf(order, mail.id), onError: notifyRefused })
  const { recipients, status, sentAt, pdfSha256 } = mail
  const outcome = sentAt ? `Sent ${dateTime(sentAt)}` : outcomes[status]
  return (
    <li className={classes.mail}>
      <div className={classes.text}>
        <Text size="sm">{recipients.join(', ') || 'No recipient'}</Text>
        <Text size="xs" c="dimmed">
          {outcome}
          {!pdfSha256 && sentAt && '. Its PDF was not kept.'}
        </Text>
      </div>
      {pdfSha256 && (
        <Button
          className={classes.open}
          variant="default"
          size="xs"
          loading={pdf.isPending}
          onClick={() => pdf.mutate()}
          aria-label={`PDF to ${recipients.join(', ')}: ${outcome}`}
        >
          PDF
        </Button>
      )}
    </li>
  )
}

const outcomes: Record<PurchaseOrderMail['status'], string> = {
  no_recipient: 'Not sent: the supplier had no e-mail address',
  queued: 'Being sent',
  sent: 'Sent',
  failed: 'Not sent',
  unknown: 'May not have arrived',
}
