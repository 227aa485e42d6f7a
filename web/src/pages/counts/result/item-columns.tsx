import { Text } from '@mantine/core'
import type { StockCount, StockCountItem } from '../../../../../shared/schemas/stock-counts.ts'
import type { Format } from '../../../components/shop/formats.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Difference } from './difference.tsx'

/** The columns of a count that shows what is expected. */
export const itemColumns = (
  { count, money }: Format,
  { items, recount }: StockCount,
): Column<StockCountItem>[] => {
  const counters = new Set(items.flatMap(({ entries }) => entries.map(nameOf)))
  const product: Column<StockCountItem> = { name: 'Product', cell: (item) => <ProductName {...item} /> }
  const countedBy: Column<StockCountItem> = {
    name: 'Counted by',
    cell: ({ entries, isRecount }) => (
      // a cell lays several elements out side by side on a narrow screen
      <div>
        {entries.map((entry) => (
          <Text key={`${entry.round} ${nameOf(entry)}`} size="sm" c="dimmed">
            {nameOf(entry)}: {count(entry.countedQuantity)}
            {recount !== null && (entry.round === 1 ? ' (first count)' : ' (recount)')}
          </Text>
        ))}
        {isRecount && entries.every(({ round }) => round !== recount?.round) && (
          <Text size="sm" c="dimmed">
            Not recounted
          </Text>
        )}
      </div>
    ),
  }
  return [
    product,
    {
      name: 'Expected',
      cell: ({ expectedQuantity }) => (expectedQuantity === null ? '—' : count(expectedQuantity)),
      isNumber: true,
    },
    {
      name: 'Counted',
      cell: ({ countedQuantity }) => (countedQuantity === null ? '—' : count(countedQuantity)),
      isNumber: true,
    },
    { name: 'Difference', cell: ({ variance }) => <Difference value={variance} />, isNumber: true },
    {
      name: 'Value',
      // keeps the minus and its number on one line
      cell: ({ varianceValue }) => (
        <span style={{ whiteSpace: 'nowrap' }}>{varianceValue === null ? '—' : money(varianceValue)}</span>
      ),
      isNumber: true,
    },
    ...(counters.size > 1 || recount !== null ? [countedBy] : []),
  ]
}

/** A person with a device, as in "User 7, device 3f2a". */
const nameOf = ({ person, device }: StockCountItem['entries'][number]) =>
  `User ${person}${device === '' ? '' : `, device ${device.slice(0, 4)}`}`
