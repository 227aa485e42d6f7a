import { Button, Text } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { PurchaseOrder, SendPreview } from '../../../../../shared/schemas/purchase-orders.ts'
import { notifyRefused } from '../../../components/feedback/notify.ts'
import classes from './composer.module.css'
import type { Draft } from './mail-draft.ts'
import { openPdf } from './open-pdf.ts'

type Props = { order: PurchaseOrder; preview: SendPreview; draft: Draft }

/** The e-mail as the supplier will read it. */
export function MailPreview({ order, preview, draft }: Props) {
  const pdf = useMutation({ mutationFn: () => openPdf(order), onError: notifyRefused })
  const headers = [
    ['From', preview.from],
    ['To', draft.to.join(', ') || 'No recipient'],
    ['Cc', draft.cc.join(', ')],
    ['Reply to', preview.replyTo],
    ['Subject', draft.subject || preview.subject],
    ['Attached', preview.attachments.map(({ name, size }) => `${name} (${sizeOf(size)})`).join(', ')],
  ].filter(([, value]) => value)
  return (
    <section aria-label="Preview" className={classes.preview}>
      <dl className={classes.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Text size="sm" className={classes.body} dir="auto">
        {draft.body || preview.body}
      </Text>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconFileText size={16} />}
        loading={pdf.isPending}
        onClick={() => pdf.mutate()}
      >
        Open the PDF
      </Button>
      {order.status === 'draft' && (
        <Text size="xs" c="dimmed" mt={4}>
          It is marked as a draft until the order is sent.
        </Text>
      )}
    </section>
  )
}

const sizeOf = (bytes: number) => `${Math.max(1, Math.round(bytes / 1024))} kB`
