import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { SupplierReturn } from '../../../../shared/schemas/supplier-returns.ts'
import { readQuery } from '../../api/queries.ts'
import { Attachments } from '../../components/attachments/attachments.tsx'
import { byBin } from '../../components/bins/by-bin.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Card } from '../../components/layout/card.tsx'
import { DetailColumns, Facts, Notes, Timeline } from '../../components/layout/detail.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { byUser } from '../../components/shop/by-user.ts'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { ProductName } from '../../components/tables/product-name.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'
import { ReturnActions } from './return-actions.tsx'
import { ReturnStateBadge } from './return-state.tsx'
import { useShipment } from './shipment.ts'

const route = getRouteApi('/returns/$id')

export function ReturnDetail() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /supplier-returns/:id', { params: { id } }))
  return <Loaded query={query}>{(stored) => <Detail key={stored.id} stored={stored} />}</Loaded>
}

function Detail({ stored }: { stored: SupplierReturn }) {
  const format = useFormat()
  const shipment = useShipment(stored)
  const { id, number, state, lines, notes, currency } = stored
  const rows = byBin(
    lines.map((line, at) => ({ ...line, at })),
    ({ bin }) => bin,
  )
  return (
    <PageBody>
      <PageHeader
        title={number}
        mark={<ReturnStateBadge state={state} />}
        back={{ to: '/returns', name: 'Returns to suppliers' }}
        actions={<ReturnActions stored={stored} shipment={shipment} />}
      />
      <DetailColumns
        side={
          <>
            <Summary stored={stored} />
            {notes && (
              <Card title="Notes">
                <Notes label="Internal note" text={notes} />
              </Card>
            )}
            <Timeline events={eventsOf(stored)} />
          </>
        }
      >
        <Card
          title="Products"
          isFlush
          action={
            <CsvButton path="/supplier-returns/:id" params={{ id: stored.id }} name={stored.number} isSmall />
          }
        >
          <RowTable
            label="Products"
            rows={rows}
            keyOf={({ at }) => at}
            columns={[
              {
                name: 'Product',
                cell: ({ title, sku, variantId, bin, at, isStocked }) => (
                  <div>
                    <ProductName title={title} sku={sku} variantId={variantId} bin={bin} />
                    {isStocked === false && (
                      <Text size="sm" c="dimmed">
                        Its stock is not tracked, so none was moved.
                      </Text>
                    )}
                    {shipment.shortageOf(at) && (
                      <Text size="sm" c="var(--mantine-color-error)">
                        {shipment.shortageOf(at)}
                      </Text>
                    )}
                  </div>
                ),
              },
              { name: 'Reason', cell: ({ reason }) => reason },
              { name: 'Quantity', cell: ({ quantity }) => format.count(quantity), isNumber: true },
              {
                name: 'Price paid',
                cell: ({ unitPrice }) => (unitPrice === null ? '—' : format.costIn(unitPrice, currency)),
                isNumber: true,
              },
            ]}
          />
        </Card>
        <Attachments subject="supplier_return" subjectId={id} />
      </DetailColumns>
    </PageBody>
  )
}

function Summary({ stored }: { stored: SupplierReturn }) {
  const { count, moneyIn } = useFormat()
  const { supplierId, purchaseOrderId, poNumber, currency, creditAmount, expectedCredit } = stored
  return (
    <Card title="Summary">
      <Facts
        facts={[
          [
            'Supplier',
            <TextLink key="supplier" to="/suppliers/$id" params={{ id: supplierId }}>
              {stored.supplierName}
            </TextLink>,
          ],
          ...(purchaseOrderId
            ? [
                [
                  'Order',
                  <TextLink key="order" to="/purchase-orders/$id" params={{ id: purchaseOrderId }}>
                    {poNumber}
                  </TextLink>,
                ] as const,
              ]
            : []),
          ['Taken from', stored.locationName],
          ['Pieces', count(stored.pieces)],
          ...(stored.supplierReference
            ? [['Supplier’s return number', stored.supplierReference] as const]
            : []),
          ...(creditAmount === null && expectedCredit !== null
            ? [['Expected credit', moneyIn(expectedCredit, currency)] as const]
            : []),
          ...(creditAmount === null ? [] : [['Credit', moneyIn(creditAmount, currency)] as const]),
          ...(stored.creditReference ? [['Credit note', stored.creditReference] as const] : []),
        ]}
      />
    </Card>
  )
}

function eventsOf(stored: SupplierReturn) {
  const { createdAt, createdBy, shippedAt, shippedBy, creditedAt, cancelledAt, cancelledBy, locationName } =
    stored
  const by = byUser(cancelledBy)
  const cancelled = shippedAt ? `Undone${by}: stock is at ${locationName} again` : `Cancelled${by}`
  return [
    { at: createdAt, text: `Created${byUser(createdBy)}` },
    ...(shippedAt
      ? [{ at: shippedAt, text: `Shipped${byUser(shippedBy)}: stock left ${locationName}` }]
      : []),
    ...(creditedAt ? [{ at: creditedAt, text: 'Credited by the supplier' }] : []),
    ...(cancelledAt ? [{ at: cancelledAt, text: cancelled }] : []),
  ]
}
