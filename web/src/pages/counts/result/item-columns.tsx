import type { StockCountItem } from '../../../../../shared/schemas/stock-counts.ts'
import type { useFormat } from '../../../components/shop/format.ts'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'
import { Difference } from './difference.tsx'

export const itemColumns = ({ count }: ReturnType<typeof useFormat>): Column<StockCountItem>[] => [
  { name: 'Product', cell: (item) => <ProductName {...item} /> },
  { name: 'Expected', cell: ({ expectedQuantity }) => count(expectedQuantity), isNumber: true },
  {
    name: 'Counted',
    cell: ({ countedQuantity }) => (countedQuantity === null ? '—' : count(countedQuantity)),
    isNumber: true,
  },
  { name: 'Difference', cell: ({ variance }) => <Difference value={variance} />, isNumber: true },
]
