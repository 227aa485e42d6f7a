import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReceiptDetail } from '../../../../shared/schemas/receipts.ts'
import { ApiError } from '../../api/api-error.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { Attachments } from '../../components/attachments/attachments.tsx'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { PrintLabels } from '../../components/labels/print-labels.tsx'
import { Card } from '../../components/layout/card.tsx'
import { DetailColumns, Facts, Notes, Timeline } from '../../components/layout/detail.tsx'
import { LinkButton, TextLink } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { byUser } from '../../components/shop/by-user.ts'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { ProductName } from '../../components/tables/product-name.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'
import { ReceiptStateBadge } from './receipt-state.tsx'
import { meaningOfUndo } from './undo.ts'

const route = getRouteApi('/receipts/$id')

export function ReceiptDetailPage() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /receipts/:id', { params: { id } }))
  return <Loaded query={query}>{(receipt) => <Detail key={receipt.id} receipt={receipt} />}</Loaded>
}

function Detail({ receipt }: { receipt: ReceiptDetail }) {
  const format = useFormat(receipt.currency)
  const [isUndoing, setUndoing] = useState(false)
  const { id, state, purchaseOrderId } = receipt
  return (
    <PageBody>
      <PageHeader
        title={`Receipt #${id}`}
        mark={<ReceiptStateBadge state={state} />}
        back={{ to: '/receipts', name: 'Receipts' }}
        actions={
          <>
            {state === 'posted' && (
              <>
                <PrintLabels source={{ receiptId: id, isWithoutOrder: purchaseOrderId === null }} />
                <LinkButton variant="default" to="/returns/new" search={{ receiptId: id }}>
                  Return goods
                </LinkButton>
                <Button variant="default" onClick={() => setUndoing(true)}>
                  Undo
                </Button>
              </>
            )}
            {state === 'draft' && purchaseOrderId !== null && (
              <LinkButton
                to="/purchase-orders/$id/receive"
                params={{ id: purchaseOrderId }}
                search={{ draft: id }}
              >
                Continue
              </LinkButton>
            )}
          </>
        }
      />
      <DetailColumns
        side={
          <>
            <Card title="Summary">
              <Facts
                facts={[
                  ['Order', <OrderName key="order" receipt={receipt} />],
                  ['Supplier', receipt.supplierName ?? '—'],
                  ['Location', receipt.locationName],
                  ['Delivery note', receipt.deliveryNote || '—'],
                  ['Accepted', format.count(receipt.accepted)],
                  ['Rejected', format.count(receipt.rejected)],
                ]}
              />
            </Card>
            {receipt.notes && (
              <Card title="Notes">
                <Notes text={receipt.notes} />
              </Card>
            )}
            <Timeline events={eventsOf(receipt)} />
          </>
        }
      >
        <Card
          title="Items"
          isFlush
          action={<CsvButton path="/receipts/:id" params={{ id }} name={`receipt-${id}`} isSmall />}
        >
          {receipt.lines.length === 0 ? (
            <Text c="dimmed" p="md" pt={0}>
              Nothing counted yet. Continue the draft to enter what arrived.
            </Text>
          ) : (
            <Items receipt={receipt} />
          )}
        </Card>
        <Attachments subject="receipt" subjectId={id} />
      </DetailColumns>
      {isUndoing && <UndoDialog receipt={receipt} onClose={() => setUndoing(false)} />}
    </PageBody>
  )
}

function Items({ receipt: { lines, currency, purchaseOrderId } }: { receipt: ReceiptDetail }) {
  const format = useFormat(currency)
  return (
    <RowTable
      label="Items"
      rows={lines.map((line, at) => ({ ...line, at }))}
      keyOf={({ at }) => at}
      columns={[
        {
          name: 'Product',
          cell: ({ title, sku, variantId, rejectReason }) => (
            <div>
              <ProductName title={title} sku={sku} variantId={variantId} />
              {rejectReason && <Text size="xs" c="dimmed">{`Rejected: ${rejectReason}`}</Text>}
            </div>
          ),
        },
        { name: 'Accepted', cell: ({ accepted }) => format.count(accepted), isNumber: true },
        {
          name: 'Rejected',
          isNumber: true,
          cell: ({ rejected, rejectOutcome }) => (
            <div>
              {format.count(rejected)}
              {rejectOutcome && (
                <Text size="xs" c="dimmed">
                  {rejectOutcome === 'credit' ? 'credited' : 'to be replaced'}
                </Text>
              )}
            </div>
          ),
        },
        {
          name: 'Unit cost',
          cell: ({ unitCost }) =>
            unitCost === null ? (purchaseOrderId === null ? '—' : 'As ordered') : format.cost(unitCost),
          isNumber: true,
        },
      ]}
    />
  )
}

function eventsOf(receipt: ReceiptDetail) {
  const { createdAt, createdBy, postedAt, postedBy, reversedAt, reversedBy, isImported, locationName } =
    receipt
  const posted = isImported
    ? `Arrived at ${locationName}`
    : `Added to stock at ${locationName}${byUser(postedBy)}`
  return [
    { at: createdAt, text: `Created${byUser(createdBy)}` },
    ...(postedAt ? [{ at: postedAt, text: posted }] : []),
    ...(reversedAt ? [{ at: reversedAt, text: `Reversed${byUser(reversedBy)}` }] : []),
  ]
}

const OrderName = ({ receipt: { purchaseOrderId, poNumber } }: { receipt: ReceiptDetail }) =>
  purchaseOrderId === null ? (
    'Without an order'
  ) : (
    <TextLink to="/purchase-orders/$id" params={{ id: purchaseOrderId }}>
      {poNumber}
    </TextLink>
  )

function UndoDialog({ receipt, onClose }: { receipt: ReceiptDetail; onClose: () => void }) {
  const reverse = useChange('POST /receipts/:id/reverse', { onDone: onClose })
  const { error } = reverse
  const isShort = error instanceof ApiError && error.code === 'insufficient_stock'
  return (
    <Confirm
      isOpen
      title={isShort ? 'Allow negative stock?' : 'Undo this receipt?'}
      confirm={isShort ? 'Undo anyway' : 'Undo receipt'}
      isDestructive
      isBusy={reverse.isPending}
      error={isShort ? undefined : error}
      onConfirm={() =>
        reverse.mutate({ params: { id: receipt.id }, body: isShort ? { allowNegative: true } : {} })
      }
      onCancel={onClose}
    >
      {isShort
        ? `Not enough stock at ${receipt.locationName}: some of these items have left since. If you undo the receipt anyway, stock will go negative until you count it.`
        : meaningOfUndo(receipt)}
    </Confirm>
  )
}
