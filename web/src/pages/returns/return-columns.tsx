import type { SupplierReturnListItem } from '../../../../shared/schemas/supplier-returns.ts'
import type { Format } from '../../components/shop/formats.ts'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { ReturnStateBadge } from './return-state.tsx'

export const returnColumns = (format: Format): Column<SupplierReturnListItem>[] => [
  {
    name: 'Return',
    cell: ({ id, number }) => (
      <RowLink to="/returns/$id" params={{ id }}>
        {number}
      </RowLink>
    ),
    sorts: ['newest', 'oldest'],
  },
  { name: 'Supplier', cell: ({ supplierName }) => supplierName, sorts: ['supplier', '-supplier'] },
  { name: 'Order', cell: ({ poNumber }) => poNumber ?? '—' },
  { name: 'State', cell: ({ state }) => <ReturnStateBadge state={state} />, sorts: ['state', '-state'] },
  { name: 'Pieces', cell: ({ pieces }) => format.count(pieces), isNumber: true },
  {
    name: 'Credit',
    cell: ({ creditAmount, currency }) =>
      creditAmount === null ? '—' : format.moneyIn(creditAmount, currency),
    isNumber: true,
  },
  { name: 'Created', cell: ({ createdAt }) => format.day(createdAt) },
]
