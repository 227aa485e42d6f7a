import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { SupplierListItem } from '../../../../shared/schemas/suppliers.ts'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { SearchField } from '../../components/tables/search-field.tsx'
import classes from './supplier-list.module.css'

const route = getRouteApi('/suppliers')

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
  const { search } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useInfiniteQuery(listQuery('GET /suppliers', { query: { search } }))
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
      <div className={classes.search}>
        <SearchField
          label="Search suppliers"
          placeholder="Name"
          value={search ?? ''}
          onSearch={(text) =>
            navigate({
              search: text ? { search: text } : {},
              // replaces the history entry while typing, so that Back leaves the search in one step
              replace: search !== undefined,
            })
          }
        />
      </div>
      <DataList
        label="Suppliers"
        query={query}
        columns={columns(useFormat())}
        keyOf={({ id }) => id}
        empty={
          search
            ? { title: 'No matching suppliers', text: 'Search for another name, or clear the search.' }
            : {
                title: 'No suppliers yet',
                text: 'Add the companies you buy from. Purchase orders are sent to their e-mail address.',
                action: <LinkButton to="/suppliers/new">Add a supplier</LinkButton>,
              }
        }
      />
    </PageBody>
  )
}
