import { Button, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { OrderReceipt, Receipt } from '../../../../../shared/schemas/receipts.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { readDraft } from '../read-draft.ts'
import { piecesOf } from '../receive/receipt-drafts.tsx'
import { storeDraft } from './local-receipt.ts'
import type { LoadedReceipt } from './receipt-draft.ts'

type Props = {
  loaded: LoadedReceipt
  /** Null: the scans go into a new draft. */
  onChoose: (draft: OrderReceipt | null) => void
}

/** Asks before the scans go into a draft that another page or device has created: its pieces may have been typed. */
export function OfferedDrafts({ loaded: { orderId, poNumber, offered, stores }, onChoose }: Props) {
  const { dateTime, many } = useFormat()
  const proceed = useMutation({
    mutationFn: readDraft,
    onSuccess: (draft) => {
      storeDraft(stores, draft)
      onChoose(draft)
    },
  })
  const words = ({ createdAt, lineItems }: Receipt) =>
    `the draft of ${dateTime(createdAt)} with ${many(piecesOf(lineItems), 'piece')}`
  return (
    <PageBody>
      <PageHeader
        title={`Scan ${poNumber}`}
        back={{ to: `/purchase-orders/${orderId}`, name: poNumber }}
        actions={
          <Button variant="default" disabled={proceed.isPending} onClick={() => onChoose(null)}>
            Start a new receipt
          </Button>
        }
      />
      {proceed.error && <ErrorNotice error={proceed.error} />}
      <Card title={offered.length === 1 ? 'Continue your draft?' : 'Continue one of your drafts?'}>
        <Stack gap="sm">
          <Text size="sm">Scans are added to what a draft has.</Text>
          {offered.map((draft) => (
            <Group key={draft.id} justify="space-between" gap="xs">
              <Text size="sm">Continue {words(draft)}?</Text>
              <Button
                aria-label={`Continue ${words(draft)}, number ${draft.id}`}
                loading={proceed.isPending && proceed.variables.id === draft.id}
                disabled={proceed.isPending}
                onClick={() => proceed.mutate(draft)}
              >
                Continue
              </Button>
            </Group>
          ))}
        </Stack>
      </Card>
    </PageBody>
  )
}
