import { Text } from '@mantine/core'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { Card } from '../../../components/layout/card.tsx'
import { Facts } from '../../../components/layout/detail.tsx'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'
import { EmailStatusBadge } from '../../../components/tables/status-badge.tsx'
import { byLeadTime, datedBy, useLeadTime } from '../expected-day.ts'
import { Destination } from './destination.tsx'
import { SupplierMinimum } from './supplier-minimum.tsx'

function Total({ order: { total, unknownCosts, currency } }: { order: PurchaseOrder }) {
  const format = useFormat(currency)
  return (
    <>
      <strong>{format.money(total)}</strong>
      {unknownCosts > 0 && <Text size="xs">{`+ ${format.many(unknownCosts, 'line')} without cost`}</Text>}
    </>
  )
}

export function OrderSummary({ order }: { order: PurchaseOrder }) {
  const format = useFormat(order.currency)
  const email = (
    <>
      <EmailStatusBadge status={order.emailStatus} />
      {order.emailRecipient && <Text size="xs">{order.emailRecipient}</Text>}
      {order.emailReason && (
        <Text size="sm" c="dimmed">
          {order.emailReason}
        </Text>
      )}
    </>
  )
  const { currency: shopCurrency } = useSettings()
  const leadTime = useLeadTime(datedBy(order), order.sentAt)
  const isForeign = order.currency !== shopCurrency
  const rate =
    order.rate === null ? (
      <Text size="sm" c="dimmed">
        {order.status === 'cancelled' ? 'Not entered' : 'Not entered. Edit the order to enter it.'}
      </Text>
    ) : (
      format.rate(order.rate)
    )
  const copies = order.cc.map((address) => (
    <Text key={address} size="xs">
      {address}
    </Text>
  ))
  const supplier = (
    <TextLink to="/suppliers/$id" params={{ id: order.supplierId }} size="sm">
      {order.supplierName}
    </TextLink>
  )
  const expected = leadTime ? byLeadTime(leadTime, format.day) : format.day(order.expectedAt)
  return (
    <Card title="Summary">
      <Facts
        facts={[
          ['Supplier', supplier],
          ['Deliver to', <Destination key="destination" order={order} />],
          ['Expected on', expected],
          ...(order.status === 'draft' ? [] : [['E-mail', email] as const]),
          ...(order.sourceNumber ? [['Earlier number', order.sourceNumber] as const] : []),
          ...(order.reference ? [['Reference', order.reference] as const] : []),
          ...(order.supplierReference ? [['Supplier’s reference', order.supplierReference] as const] : []),
          ...(order.revision > 0 ? [['Revision', String(order.revision)] as const] : []),
          ...(order.cc.length > 0 ? [['Copies to', copies] as const] : []),
          ...(isForeign
            ? ([
                ['Currency', order.currency],
                [`1 ${order.currency} in ${shopCurrency}`, rate],
              ] as const)
            : []),
          ['Subtotal', format.money(order.subtotal)],
          ...(order.discount > 0 ? [['Discount', format.money(-order.discount)] as const] : []),
          ['Tax', format.money(order.tax)],
          ['Total', <Total key="total" order={order} />],
          ...(order.isClosedShort || order.status === 'partial'
            ? [['Received value', format.money(order.receivedValue)] as const]
            : []),
          ...(isForeign && order.rate !== null
            ? [[`Total in ${shopCurrency}`, format.moneyIn(order.total * order.rate, shopCurrency)] as const]
            : []),
        ]}
      />
      {order.status === 'draft' && <SupplierMinimum order={order} />}
    </Card>
  )
}
