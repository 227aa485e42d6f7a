import { useInfiniteQuery } from '@tanstack/react-query'
import type { SupplierListItem } from '../../../../shared/schemas/suppliers.ts'
import { listing } from '../../api/queries.ts'
import { type Column, DataList } from '../../components/data-list.tsx'
import { PageBody, PageHeader } from '../../components/page.tsx'
import { RowLink } from '../../components/row-link.tsx'

const columns: Column<SupplierListItem>[] = [
  { name: 'Supplier', cell: ({ name }) => <RowLink to="/suppliers">{name}</RowLink> },
  { name: 'Phone', cell: ({ phone }) => phone || '—' },
  {
    name: 'Lead time',
    cell: ({ leadTimeDays }) => (leadTimeDays === null ? '—' : `${leadTimeDays} days`),
    isNumber: true,
  },
  { name: 'Payment terms', cell: ({ paymentTerms }) => paymentTerms || '—' },
]

export function SupplierList() {
  const query = useInfiniteQuery(listing('GET /suppliers', { query: {} }))
  return (
    <PageBody>
      <PageHeader title="Suppliers" />
      <DataList
        label="Suppliers"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        empty={{
          title: 'No suppliers yet',
          text: 'Add whom you buy from. Purchase orders go to their e-mail address.',
        }}
      />
    </PageBody>
  )
}
