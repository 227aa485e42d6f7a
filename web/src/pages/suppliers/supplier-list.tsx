import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { SupplierListItem } from '../../../../shared/schemas/suppliers.ts'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'

const columns = ({ days }: ReturnType<typeof useFormat>): Column<SupplierListItem>[] => [
  {
    name: 'Supplier',
    cell: ({ id, name }) => (
      <RowLink to="/suppliers/$id" params={{ id }}>
        {name}
      </RowLink>
    ),
  },
  { name: 'Phone', cell: ({ phone }) => phone || '—' },
  {
    name: 'Lead time',
    cell: ({ leadTimeDays }) => (leadTimeDays === null ? '—' : days(leadTimeDays)),
    isNumber: true,
  },
  { name: 'Payment terms', cell: ({ paymentTerms }) => paymentTerms || '—' },
]

export function SupplierList() {
  const query = useInfiniteQuery(listQuery('GET /suppliers', { query: {} }))
  return (
    <PageBody>
      <PageHeader
        title="Suppliers"
        actions={
          <LinkButton to="/suppliers/new" leftSection={<IconPlus size={16} />}>
            Add a supplier
          </LinkButton>
        }
      />
      <DataList
        label="Suppliers"
        query={query}
        columns={columns(useFormat())}
        keyOf={({ id }) => id}
        empty={{
          title: 'No suppliers yet',
          text: 'Add the companies you buy from. Purchase orders are sent to their e-mail address.',
          action: <LinkButton to="/suppliers/new">Add a supplier</LinkButton>,
        }}
      />
    </PageBody>
  )
}
