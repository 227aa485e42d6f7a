import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { readQuery } from '../../../api/queries.ts'
import { Attachments } from '../../../components/attachments/attachments.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { DetailColumns, Facts, Notes } from '../../../components/layout/detail.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import { RowTable } from '../../../components/tables/row-table.tsx'
import { TransferStatusBadge } from '../transfer-status.tsx'
import { sumOf } from '../variant-lines.ts'
import { LineProgress } from './line-progress.tsx'
import { PickListButton } from './pick-list-button.tsx'
import { ShortNotice } from './short-notice.tsx'
import { TransferActions } from './transfer-actions.tsx'
import { TransferHistory } from './transfer-history.tsx'
import { useTransferStep } from './transfer-step.ts'

const route = getRouteApi('/transfers/$id')

type Line = StockTransfer['items'][number]

export function TransferDetail() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /stock-transfers/:id', { params: { id } }))
  return <Loaded query={query}>{(transfer) => <Detail key={transfer.id} transfer={transfer} />}</Loaded>
}

function Detail({ transfer }: { transfer: StockTransfer }) {
  const { count } = useFormat()
  const step = useTransferStep(transfer)
  const { id, status, items, notes } = transfer
  const lines = items.map((item, at) => ({ ...item, at }))
  const isShipped = items.some((line) => line.shipped > 0)
  return (
    <PageBody>
      <PageHeader
        title={`Transfer #${id}`}
        mark={<TransferStatusBadge status={status} />}
        back={{ to: '/transfers', name: 'Transfers' }}
        actions={
          <>
            <PickListButton id={id} />
            <TransferActions transfer={transfer} step={step} />
          </>
        }
      />
      {step.isShort && <ShortNotice transfer={transfer} step={step} />}
      <DetailColumns
        side={
          <>
            <Card title="Summary">
              <TransferFacts transfer={transfer} />
            </Card>
            {notes && (
              <Card title="Notes">
                <Notes text={notes} />
              </Card>
            )}
          </>
        }
      >
        <Card
          title="Products"
          isFlush
          action={<CsvButton path="/stock-transfers/:id" params={{ id }} name={`transfer-${id}`} isSmall />}
        >
          <RowTable
            label="Products"
            rows={lines}
            keyOf={({ at }) => at}
            columns={[
              {
                name: 'Product',
                cell: ({ title, sku, variantId, at, sourceBin, destinationBin }) => (
                  <div>
                    <ProductName
                      title={title}
                      sku={sku}
                      variantId={variantId}
                      bin={status === 'pending' ? sourceBin : destinationBin}
                    />
                    {step.shortageOf(at) && (
                      <Text size="sm" c="var(--mantine-color-error)">
                        {step.shortageOf(at)}
                      </Text>
                    )}
                  </div>
                ),
              },
              { name: 'Quantity', cell: ({ quantity }) => count(quantity), isNumber: true },
              ...(isShipped
                ? [
                    { name: 'Shipped', cell: ({ shipped }: Line) => count(shipped), isNumber: true },
                    { name: 'Received', cell: ({ received }: Line) => count(received), isNumber: true },
                    {
                      name: 'Progress',
                      cell: (line: Line) => <LineProgress line={line} />,
                    },
                  ]
                : []),
            ]}
          />
        </Card>
        <TransferHistory transfer={transfer} />
        <Attachments subject="stock_transfer" subjectId={id} />
      </DetailColumns>
    </PageBody>
  )
}

function TransferFacts({ transfer }: { transfer: StockTransfer }) {
  const { count } = useFormat()
  const { items, sourceLocationName, destinationLocationName } = transfer
  const pieces = sumOf(items, ({ quantity }) => quantity)
  const shipped = sumOf(items, (line) => line.shipped)
  const inTransit = sumOf(items, (line) => line.inTransit)
  const gone = sumOf(items, ({ lost, damaged }) => lost + damaged)
  const isShipped = shipped > 0
  const stays = transfer.isPlanEnded ? pieces - shipped : 0
  return (
    <Facts
      facts={[
        ['From', sourceLocationName],
        ['To', destinationLocationName],
        ['Products', count(new Set(items.map(({ variantId }) => variantId)).size)],
        ['Pieces', count(pieces)],
        ...(isShipped
          ? [
              ['In transit', `${count(inTransit)} of ${count(shipped)}`] as const,
              ...(gone > 0 ? [['Lost or damaged', count(gone)] as const] : []),
              ...(stays > 0 ? [['Not shipped, stays at the source', count(stays)] as const] : []),
            ]
          : []),
      ]}
    />
  )
}
