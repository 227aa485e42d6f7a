import { Button, Group, List, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { OrderReceipt } from '../../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../../api/api-error.ts'
import { request } from '../../../api/request.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { Card } from '../../../components/layout/card.tsx'
import { PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import type { GoodsState } from '../../../components/scan/goods/state.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import type { ReceiptDraft } from './receipt-draft.ts'

const route = getRouteApi('/purchase-orders/$id/scan')

/** What the merchant has changed of the receipt, besides the goods, and not posted yet. */
export type ReceiptEdits = { locationId?: string | null; deliveryNote?: string }

type Props = {
  draft: ReceiptDraft
  state: GoodsState
  receipt: OrderReceipt
  orderId: number
  poNumber: string
  currency: string
  /** The page of the scan keeps them, so that they stay while more is scanned. */
  edits: ReceiptEdits
  onEdit: (edits: ReceiptEdits) => void
  onPosted: () => void
}

/** What was scanned, before it goes into stock. */
export function ReviewReceipt(props: Props) {
  const { draft, state, receipt, orderId, poNumber, currency, edits, onEdit, onPosted } = props
  const { count, many } = useFormat(currency)
  const navigate = route.useNavigate()
  const leave = usePageNavigate()
  const client = useQueryClient()
  const { locationId, deliveryNote } = { ...receipt, ...edits }
  const [isAsking, setAsking] = useState(false)
  const lines = receipt.lines.filter(({ accepted, rejected }) => accepted > 0 || rejected > 0)
  const accepted = lines.reduce((sum, line) => sum + line.accepted, 0)

  const post = useMutation({
    mutationFn: async (allowOverReceipt: boolean) => {
      const params = { id: orderId, receiptId: receipt.id }
      const isChanged = locationId !== receipt.locationId || deliveryNote !== receipt.deliveryNote
      const saved = isChanged
        ? await draft.change(({ version }) =>
            request('PUT /purchase-orders/:id/receipts/:receiptId', {
              params,
              body: { version, locationId, deliveryNote },
            }),
          )
        : receipt
      const version = (saved ?? receipt).version
      return request('POST /purchase-orders/:id/receipts/:receiptId/post', {
        params,
        body: { version, allowOverReceipt },
      })
    },
    onSuccess: async ({ status }) => {
      onPosted()
      draft.clear()
      void client.invalidateQueries()
      notifyDone(status === 'received' ? `${poNumber} fully received` : 'Items received')
      await leave({ to: '/purchase-orders/$id', params: { id: orderId }, ignoreBlocker: true })
    },
    onError: async (error) => {
      setAsking(isOver(error))
      // another page has changed, posted or deleted the draft
      if (error instanceof ApiError && (error.status === 409 || error.status === 404)) await draft.refresh()
    },
  })
  const isStale = post.error instanceof ApiError && post.error.code === 'stale_version'
  const toScanning = () => navigate({ search: {} })
  const receive = (
    <Button onClick={() => post.mutate(false)} loading={post.isPending} disabled={lines.length === 0}>
      Receive {many(accepted, 'piece')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={`Review receipt of ${poNumber}`}
        back={{ to: `/purchase-orders/${orderId}/scan`, name: 'scanning' }}
        actions={receive}
      />
      {isStale && (
        <Notice tone="waiting" title="Check the numbers again">
          Another page or device has changed this receipt. Its numbers are shown now, and nothing is received
          yet.
        </Notice>
      )}
      {post.error && !isOver(post.error) && !isStale && <ErrorNotice error={post.error} />}
      {state.scans.length > 0 && <UncountedScans count={state.scans.length} onShow={toScanning} />}
      <Card isFlush title="Received items">
        {lines.length === 0 ? (
          <Text c="dimmed" p="md" pt={0}>
            Nothing is counted. Go back and scan the goods.
          </Text>
        ) : (
          <ReceivedLines {...{ lines, state, currency }} />
        )}
      </Card>
      <Card>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <LocationPicker
            label="Received at"
            value={locationId}
            onChange={(chosen) => onEdit({ ...edits, locationId: chosen })}
          />
          <TextInput
            label="Delivery note"
            placeholder="Number on the supplier’s paper"
            maxLength={200}
            value={deliveryNote}
            onChange={(event) => onEdit({ ...edits, deliveryNote: event.currentTarget.value })}
          />
        </SimpleGrid>
      </Card>
      <Group justify="flex-end" hiddenFrom="sm">
        {receive}
      </Group>
      <Confirm
        isOpen={isAsking}
        title="Received more than ordered"
        confirm={`Receive ${count(accepted)}`}
        isBusy={post.isPending}
        onConfirm={() => post.mutate(true)}
        onCancel={() => setAsking(false)}
      >
        <OverLines error={post.error} receipt={receipt} />
        All accepted pieces will be added to stock; rejected ones will not.
      </Confirm>
    </>
  )
}

const isOver = (error: unknown) => error instanceof ApiError && error.code === 'over_receipt'

/** The lines that the API refuses; it names what is outstanding now, after a colleague has posted a receipt. */
function overLines(error: unknown, { lines }: OrderReceipt) {
  const details = error instanceof ApiError ? error.details : []
  return details.flatMap(({ lineItemId, outstanding }) => {
    const line = lines.find((line) => line.lineItemId === lineItemId)
    return line ? [{ ...line, outstanding: outstanding ?? line.outstanding }] : []
  })
}

function UncountedScans({ count, onShow }: { count: number; onShow: () => void }) {
  const { many } = useFormat()
  return (
    <Notice tone="waiting" title="Some scans are not counted">
      <Text c="#1c2024" mb="sm">
        {many(count, 'code')} {count === 1 ? 'is' : 'are'} not in this receipt.
      </Text>
      <Button size="xs" variant="default" onClick={onShow}>
        Show them
      </Button>
    </Notice>
  )
}

type Line = OrderReceipt['lines'][number]

type LineProps = { lines: readonly Line[]; state: GoodsState; currency: string }

function ReceivedLines({ lines, state, currency }: LineProps) {
  const { count, cost } = useFormat(currency)
  const orderCosts = new Map(state.document.lines.map((line) => [line.lineId, line.cost]))
  const paidFor = ({ lineItemId, unitCost }: Line) => {
    const expected = orderCosts.get(String(lineItemId))
    if (unitCost === null) return null
    if (expected === null || expected === undefined) return cost(unitCost)
    // costs have four decimals; a discount gives more
    return Math.abs(unitCost - expected) < 0.00005 ? null : `${cost(unitCost)} instead of ${cost(expected)}`
  }
  return (
    <RowTable
      label="Received items"
      rows={lines}
      keyOf={({ lineItemId }) => lineItemId}
      columns={[
        { name: 'Product', cell: ({ title, sku }) => <ProductName title={title} sku={sku} /> },
        { name: 'Outstanding', cell: ({ outstanding }) => count(outstanding), isNumber: true },
        { name: 'Accepted', cell: (line) => count(line.accepted), isNumber: true },
        {
          name: 'Rejected',
          isNumber: true,
          cell: ({ rejected, rejectReason, rejectOutcome }) =>
            rejected === 0
              ? '—'
              : `${count(rejected)} ${rejectOutcome === 'credit' ? 'to be credited' : 'to be replaced'}: ${rejectReason}`,
        },
        ...(lines.some(paidFor)
          ? [
              {
                name: 'Unit cost paid',
                isNumber: true,
                cell: (line: Line) => paidFor(line) ?? '—',
              },
            ]
          : []),
      ]}
    />
  )
}

function OverLines({ error, receipt }: { error: unknown; receipt: OrderReceipt }) {
  const { count } = useFormat()
  return (
    <List size="sm">
      {overLines(error, receipt).map(({ lineItemId, title, accepted, outstanding }) => (
        <List.Item key={lineItemId}>
          {title}: {count(accepted)} accepted, {count(outstanding)} outstanding
        </List.Item>
      ))}
    </List>
  )
}
