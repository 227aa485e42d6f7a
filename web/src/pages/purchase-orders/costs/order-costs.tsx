import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Charge, LandedCost } from '../../../../../shared/schemas/charges.ts'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { Card } from '../../../components/layout/card.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'
import { ChargeDialog } from './charge-dialog.tsx'
import { basisNames, kindNames } from './charge-names.ts'
import { PricesDialog } from './prices-dialog.tsx'

/** The charges of an order, and what each line costs with its shares. */
export function OrderCosts({ order }: { order: PurchaseOrder }) {
  const { id, charges, status, unknownCosts } = order
  const { currency } = useFormat()
  // in the shop's currency and without charges, the goods cost what the lines say
  const hasLandedCost = charges.length > 0 || order.currency !== currency || order.discount > 0
  const query = useQuery({
    ...readQuery('GET /purchase-orders/:id/landed-cost', { params: { id } }),
    enabled: hasLandedCost,
  })
  const [edited, setEdited] = useState<Charge | 'new' | null>(null)
  const [deleted, setDeleted] = useState<{ charge: Charge; version: number } | null>(null)
  const [isPricing, setPricing] = useState(false)
  const remove = useChange('DELETE /purchase-orders/:id/charges/:chargeId', {
    onDone: () => notifyDone('Charge deleted'),
    onRefused: notifyRefused,
  })
  const { data, error, refetch } = query
  // the first charge of an order without any keeps the card, and the focus on its button
  const [hadLandedCost] = useState(hasLandedCost)
  const isFirstLoad = hadLandedCost && hasLandedCost && !query.isFetched
  if (order.lineItems.length === 0 || isFirstLoad) return null
  return (
    <Card
      title="Landed cost"
      isFlush={hasLandedCost}
      action={
        <Group gap="xs" justify="flex-end" style={{ flex: '0 1 auto' }}>
          {hasLandedCost && (
            <CsvButton
              isSmall
              path="/purchase-orders/:id/landed-cost"
              params={{ id }}
              name={`landed-cost-${order.poNumber}`}
            />
          )}
          {unknownCosts > 0 && (status === 'partial' || status === 'received') && (
            <Button variant="default" size="xs" onClick={() => setPricing(true)}>
              Enter prices
            </Button>
          )}
          {status !== 'cancelled' && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              onClick={() => setEdited('new')}
            >
              Add a charge
            </Button>
          )}
        </Group>
      }
    >
      {error && !data && hasLandedCost && <ErrorNotice error={error} onRetry={refetch} />}
      {charges.length === 0 ? (
        <Text c="dimmed" px={hasLandedCost ? 'md' : undefined}>
          No charges yet. Add freight, duty or insurance, also after the goods have arrived: your products
          then cost what you really paid.
        </Text>
      ) : (
        <ChargeTable
          order={order}
          charges={charges}
          onEdit={setEdited}
          onDelete={(charge) => setDeleted({ charge, version: order.version })}
        />
      )}
      {data && hasLandedCost && <LineTable order={order} cost={data} />}
      <ChargeDialog order={order} charge={edited} onClose={() => setEdited(null)} />
      <PricesDialog order={order} isOpen={isPricing} onClose={() => setPricing(false)} />
      <Confirm
        isOpen={deleted !== null}
        title={`Delete the charge for ${deleted ? kindNames[deleted.charge.kind].toLowerCase() : ''}?`}
        confirm="Delete"
        isDestructive
        onConfirm={() => {
          if (deleted) {
            const { charge, version } = deleted
            remove.mutate({ params: { id, chargeId: charge.id }, query: { version } })
          }
          setDeleted(null)
        }}
        onCancel={() => setDeleted(null)}
      >
        Its share is removed from the cost of the received products.
      </Confirm>
    </Card>
  )
}

type ChargeTableProps = {
  order: PurchaseOrder
  charges: readonly Charge[]
  onEdit: (charge: Charge) => void
  onDelete: (charge: Charge) => void
}

function ChargeTable({ order, charges, onEdit, onDelete }: ChargeTableProps) {
  const { moneyIn, rate, currency: shopCurrency } = useFormat()
  const foreign: Column<Charge> = {
    name: 'Exchange rate',
    cell: (charge) =>
      charge.currency === shopCurrency ? (
        '—'
      ) : (
        <div>
          {rate(charge.rate)}
          {!charge.isRateTyped && charge.currency === order.currency && order.rate !== null && (
            <Text span display="block" size="sm" c="dimmed">
              of the order
            </Text>
          )}
        </div>
      ),
    isNumber: true,
  }
  const columns: Column<Charge>[] = [
    {
      name: 'Charge',
      cell: ({ kind, isEstimate }) => (
        <>
          {kindNames[kind]} {isEstimate && <Badge look={['Estimate', 'quiet']} />}
        </>
      ),
    },
    {
      name: 'Split',
      cell: ({ basis, lineItemIds }) =>
        `${basisNames[basis]}${lineItemIds === null ? '' : `, ${lineItemIds.length} of ${order.lineItems.length} lines`}`,
    },
    { name: 'Amount', cell: ({ amount, currency }) => moneyIn(amount, currency), isNumber: true },
    ...(charges.some(({ currency }) => currency !== shopCurrency) ? [foreign] : []),
    {
      name: 'Actions',
      isAction: true,
      cell: (charge) =>
        order.status !== 'cancelled' && (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <ActionIcon
              variant="subtle"
              color="dark.6"
              size="lg"
              aria-label={`Edit ${kindNames[charge.kind]}`}
              onClick={() => onEdit(charge)}
            >
              <IconPencil size={18} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="dark.6"
              size="lg"
              aria-label={`Delete ${kindNames[charge.kind]}`}
              onClick={() => onDelete(charge)}
            >
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        ),
    },
  ]
  return <RowTable label="Charges" columns={columns} rows={charges} keyOf={({ id }) => id} />
}

type Line = LandedCost['lines'][number]

function LineTable({ order, cost }: { order: PurchaseOrder; cost: LandedCost }) {
  const format = useFormat()
  const missing = [
    order.rate === null && order.currency !== format.currency && 'the exchange rate of the order',
    order.unknownCosts > 0 && 'the missing prices',
  ].filter(Boolean)
  const columns: Column<Line>[] = [
    { name: 'Product', cell: ({ title, sku }) => (sku ? `${title} · ${sku}` : title) },
    { name: 'Pieces', cell: ({ quantity }) => format.count(quantity), isNumber: true },
    { name: 'Goods', cell: ({ unitCost }) => costText(unitCost, format.cost), isNumber: true },
    {
      name: 'Charges',
      cell: ({ shares }) => format.money(shares.reduce((sum, { amount }) => sum + amount, 0)),
      isNumber: true,
    },
    {
      name: 'Landed cost',
      cell: ({ landedUnitCost }) => costText(landedUnitCost, format.cost),
      isNumber: true,
    },
  ]
  return (
    <Stack gap="xs" mt="md">
      <RowTable
        label="Landed cost by line"
        columns={columns}
        rows={cost.lines}
        keyOf={({ lineItemId }) => lineItemId}
      />
      <Text px="md" pb="md" ta="right">
        {cost.total === null
          ? missing.length > 0
            ? `Enter ${missing.join(' and ')} to see what the order costs.`
            : 'Computing …'
          : `All goods and charges: ${format.money(cost.total)}`}
        {cost.variance !== 0 && (
          <Text span display="block" size="sm" c="dimmed">
            {cost.variance > 0
              ? `${format.money(cost.variance)} became known after the pieces had left, and is part of no product’s cost.`
              : `${format.money(-cost.variance)} was taken off after the pieces had left, and lowered no product’s cost.`}
          </Text>
        )}
      </Text>
    </Stack>
  )
}

const costText = (value: number | null, format: (value: number) => string) =>
  value === null ? '—' : format(value)
