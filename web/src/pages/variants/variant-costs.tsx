import { Text } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { CostMovement } from '../../../../shared/schemas/costs.ts'
import { listQuery, readQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { Facts } from '../../components/layout/detail.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { DataList } from '../../components/tables/data-list.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { CostWriteBack } from './cost-write-back.tsx'

const causeNames: Record<CostMovement['cause'], string> = {
  opening: 'First known cost',
  platform: 'Changed in your shop',
  import: 'Imported',
  manual: 'Entered by hand',
  receipt: 'Received',
  reversal: 'Receipt reversed',
  loss: 'Lost or damaged in transit',
  charge: 'Cost known after the receipt',
  return: 'Returned to the supplier',
  repair: 'Corrected by a check',
}

/** The average cost of a variant, and each movement that changed it. */
export function VariantCosts({ id }: { id: string }) {
  const format = useFormat()
  // the newest movement shows whether there are any
  const { data, error, refetch } = useQuery(
    readQuery('GET /variants/:id/costs', { params: { id }, query: { limit: 1 } }),
  )
  if (error && !data) {
    return (
      <Card title="Costs">
        <ErrorNotice error={error} onRetry={refetch} />
      </Card>
    )
  }
  if (!data) return null
  const { averageCost, lastCost, onHand, value, movements, writeBack } = data
  const costText = (cost: number | null) => (cost === null ? '—' : format.cost(cost))
  const hasMovements = movements.length > 0
  return (
    <>
      <Card
        title="Costs"
        action={
          hasMovements && (
            <CsvButton path="/variants/:id/cost-movements" params={{ id }} name="costs" isSmall />
          )
        }
      >
        <Facts
          facts={[
            ['Average cost', costText(averageCost)],
            ['Last cost', costText(lastCost)],
            ['On hand', format.count(onHand)],
            ['Value on hand', value === null ? '—' : format.money(value)],
          ]}
        />
        {writeBack && <CostWriteBack id={id} writeBack={writeBack} />}
        {!hasMovements && (
          <Text c="dimmed" mt="sm">
            No cost is known yet. Receive an order, or enter the unit cost.
          </Text>
        )}
      </Card>
      {hasMovements && <CostMovements id={id} />}
    </>
  )
}

function CostMovements({ id }: { id: string }) {
  const format = useFormat()
  // more of them would push the history of the stock out of sight
  const query = useInfiniteQuery(
    listQuery('GET /variants/:id/cost-movements', { params: { id }, query: { limit: 10 } }),
  )
  const costText = (cost: number | null) => (cost === null ? '—' : format.cost(cost))
  const columns: Column<CostMovement>[] = [
    { name: 'Date', cell: ({ occurredAt }) => format.dateTime(occurredAt) },
    { name: 'Cause', cell: (movement) => <Cause movement={movement} /> },
    {
      name: 'Pieces',
      cell: ({ quantity }) => (quantity === 0 ? '—' : format.change(quantity)),
      isNumber: true,
    },
    { name: 'Unit cost', cell: ({ unitCost }) => costText(unitCost), isNumber: true },
    { name: 'Average before', cell: ({ averageBefore }) => costText(averageBefore), isNumber: true },
    { name: 'Average after', cell: ({ averageAfter }) => costText(averageAfter), isNumber: true },
    {
      name: 'Cost variance',
      cell: ({ variance }) => (variance === 0 ? '—' : format.money(variance)),
      isNumber: true,
    },
  ]
  return (
    <DataList
      title="Changes of the cost"
      label="Changes of the cost"
      query={query}
      columns={columns}
      keyOf={({ id: movementId }) => movementId}
      empty={{ title: 'No changes yet', text: 'Receive an order, or enter the unit cost.' }}
    />
  )
}

/** Pieces that come back have the cause of those that went. */
function nameOf({ cause, reference, quantity }: CostMovement): string {
  if (cause === 'reversal' && reference.startsWith('stock_transfer/')) return 'Found after a transfer'
  if (cause === 'return' && quantity > 0) return 'Return to the supplier undone'
  return causeNames[cause]
}

function Cause({ movement }: { movement: CostMovement }) {
  const [kind, orderId] = movement.reference.split('/')
  const name = nameOf(movement)
  return kind === 'purchase_order' && orderId ? (
    <TextLink to="/purchase-orders/$id" params={{ id: Number(orderId) }} underline="hover" inherit>
      {name}
    </TextLink>
  ) : (
    name
  )
}
