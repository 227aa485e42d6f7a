import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PurchaseOrder, PurchaseOrderMail } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
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
  const [isOpen, setOpen] = useState(false)
  const { recipients, cc, subject, hasCsv, status, sentAt, pdfSha256 } = mail
  const outcome = sentAt ? `Sent ${dateTime(sentAt)}` : outcomes[status]
  return (
    <li>
      <div className={classes.mail}>
        <div className={classes.text}>
          <Text size="sm">{recipients.join(', ') || 'No recipient'}</Text>
          {cc.length > 0 && <Text size="xs">Cc {cc.join(', ')}</Text>}
          {subject && <Text size="xs">{subject}</Text>}
          <Text size="xs" c="dimmed">
            {outcome}
            {hasCsv && ', with CSV'}
            {!pdfSha256 && sentAt && '. Its PDF was not kept.'}
          </Text>
        </div>
        <Group gap={6} className={classes.open}>
          {subject && (
            <Button
              variant="default"
              size="xs"
              onClick={() => setOpen(!isOpen)}
              aria-expanded={isOpen}
              aria-label={`Text to ${recipients.join(', ')}: ${outcome}`}
            >
              Text
            </Button>
          )}
          {pdfSha256 && (
            <Button
              variant="default"
              size="xs"
              loading={pdf.isPending}
              onClick={() => pdf.mutate()}
              aria-label={`PDF to ${recipients.join(', ')}: ${outcome}`}
            >
              PDF
            </Button>
          )}
        </Group>
      </div>
      {isOpen && <MailText orderId={order.id} mailId={mail.id} />}
    </li>
  )
}

function MailText({ orderId, mailId }: { orderId: number; mailId: number }) {
  const params = { id: orderId, mailId }
  const { data, error, refetch } = useQuery({
    ...readQuery('GET /purchase-orders/:id/mails/:mailId', { params }),
    // the words of a mail do not change
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  return (
    <Text size="xs" className={classes.words} dir="auto">
      {data?.body ?? 'Loading…'}
    </Text>
  )
}

const outcomes: Record<PurchaseOrderMail['status'], string> = {
  no_recipient: 'Not sent: the supplier had no e-mail address',
  queued: 'Being sent',
  sent: 'Sent',
  failed: 'Not sent',
  unknown: 'May not have arrived',
}
