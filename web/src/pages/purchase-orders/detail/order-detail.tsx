import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { listQuery, readQuery } from '../../../api/queries.ts'
import { Attachments } from '../../../components/attachments/attachments.tsx'
import { Loaded } from '../../../components/feedback/loaded.tsx'
import { LoadingPage } from '../../../components/feedback/loading-page.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { DetailColumns, Notes } from '../../../components/layout/detail.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { locationsQuery } from '../../../components/pickers/location-name.ts'
import { OrderCosts } from '../costs/order-costs.tsx'
import { datedBy, supplierQuery } from '../expected-day.ts'
import { OrderMark } from '../order-mark.tsx'
import { Receipts } from '../receive/receipts.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderInvoice } from './order-invoice.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderMails } from './order-mails.tsx'
import { OrderReturns } from './order-returns.tsx'
import { OrderRevisions } from './order-revisions.tsx'
import { OrderSummary } from './order-summary.tsx'
import { OrderTimeline } from './order-timeline.tsx'

const route = getRouteApi('/purchase-orders/$id')

export function OrderDetail() {
  const { id } = route.useParams()
  const query = useQuery({
    ...readQuery('GET /purchase-orders/:id', { params: { id } }),
    // poll until the worker has sent the e-mail
    refetchInterval: ({ state }) => (state.data?.emailStatus === 'queued' ? 1_500 : false),
  })
  const { data: order } = query
  const locations = useQuery(locationsQuery)
  const supplierId = order ? datedBy(order) : null
  const supplier = useQuery(supplierQuery(supplierId))
  // an address or a lead time that comes later would push the page down; one that cannot be read is left out
  const isComplete = locations.isFetched && (supplierId === null || supplier.isFetched)
  const [shownId, setShownId] = useState<number | null>(null)
  // a later request must not replace the order that the page shows, because it may have an open dialog
  if (order && isComplete && shownId !== order.id) setShownId(order.id)
  return (
    <Loaded query={query}>
      {(order) => (shownId === order.id ? <Detail key={order.id} order={order} /> : <LoadingPage />)}
    </Loaded>
  )
}

function Detail({ order }: { order: PurchaseOrder }) {
  const receiptQuery = useInfiniteQuery({
    ...listQuery('GET /purchase-orders/:id/receipts', { params: { id: order.id }, query: {} }),
    enabled: order.status !== 'draft',
  })
  const receipts = receiptQuery.data?.pages.flatMap(({ records }) => records) ?? []
  return (
    <PageBody>
      <PageHeader
        title={order.poNumber}
        mark={<OrderMark order={order} />}
        back={{ to: '/purchase-orders', name: 'Purchase orders' }}
        actions={<OrderActions order={order} />}
      />
      <DetailColumns
        side={
          <>
            <OrderSummary order={order} />
            {order.status !== 'draft' && <OrderInvoice order={order} />}
            <OrderMails order={order} />
            {(order.supplierNotes || order.notes) && (
              <Card title="Notes">
                {order.supplierNotes && <Notes label="Note to the supplier" text={order.supplierNotes} />}
                {order.notes && <Notes label="Internal note" text={order.notes} />}
              </Card>
            )}
            <OrderTimeline order={order} receipts={receipts} />
          </>
        }
      >
        <OrderLines order={order} />
        {order.revision > 0 && <OrderRevisions key={order.revision} order={order} />}
        <OrderCosts order={order} />
        {order.status !== 'draft' && <Receipts order={order} query={receiptQuery} />}
        {receipts.length > 0 && <OrderReturns orderId={order.id} />}
        <Attachments subject="purchase_order" subjectId={order.id} />
      </DetailColumns>
    </PageBody>
  )
}
