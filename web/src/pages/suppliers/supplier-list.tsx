import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { SupplierListItem } from '../../../../shared/schemas/suppliers.ts'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import type { Format } from '../../components/shop/formats.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { FilterChips } from '../../components/tables/list/filter-chips.tsx'
import { useListAddress } from '../../components/tables/list/list-address.ts'
import { ListRows } from '../../components/tables/list/list-rows.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { SearchField } from '../../components/tables/search-field.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { readSupplierFilter, type SupplierFilter } from './filter.ts'
import { RestoreSupplier } from './restore-supplier.tsx'
import { sorts } from './sorts.ts'
import { SupplierBulkActions } from './supplier-bulk.tsx'
import classes from './supplier-list.module.css'

const route = getRouteApi('/suppliers')

const restoring: Column<SupplierListItem> = {
  name: 'Actions',
  isAction: true,
  cell: (supplier) => <RestoreSupplier supplier={supplier} />,
}

const columns = ({ days }: Format): Column<SupplierListItem>[] => [
  {
    name: 'Supplier',
    cell: ({ id, name }) => (
      <RowLink to="/suppliers/$id" params={{ id }}>
        {name}
      </RowLink>
    ),
  },
  { name: 'Account number', cell: ({ accountNumber }) => accountNumber || '—' },
  { name: 'E-mail', cell: ({ email }) => email || '—', isOptional: true },
  { name: 'Phone', cell: ({ phone }) => phone || '—' },
  {
    name: 'Lead time',
    cell: ({ leadTimeDays }) => (leadTimeDays === null ? '—' : days(leadTimeDays)),
    isNumber: true,
  },
  { name: 'Payment terms', cell: ({ paymentTerms }) => paymentTerms || '—' },
]

export function SupplierList() {
  const address = useListAddress(route, readSupplierFilter)
  const { filter, setFilter } = address
  const { search, archived, sort } = filter
  const query = useInfiniteQuery(listQuery('GET /suppliers', { query: { ...filter, count: true } }))
  return (
    <PageBody>
      <PageHeader
        title="Suppliers"
        actions={
          <>
            <CsvButton
              path="/suppliers"
              query={{ search, sort, archived: archived ? 'true' : undefined }}
              name="suppliers"
            />
            <LinkButton to="/suppliers/price-list" search={{}} variant="default">
              Import a price list
            </LinkButton>
            <LinkButton to="/suppliers/from-vendors" variant="default">
              From vendors
            </LinkButton>
            <LinkButton to="/suppliers/new" leftSection={<IconPlus size={16} />}>
              Create a supplier
            </LinkButton>
          </>
        }
      />
      <StatusLinks>
        <StatusLink to="/suppliers" search={{ ...filter, archived: undefined }} isChosen={!archived}>
          Active
        </StatusLink>
        <StatusLink to="/suppliers" search={{ ...filter, archived: true }} isChosen={archived === true}>
          Archived
        </StatusLink>
      </StatusLinks>
      <div className={classes.search}>
        <SearchField
          label="Search suppliers"
          placeholder="Name, vendor name or account number"
          value={search}
          onSearch={(search, options) => setFilter({ search }, options)}
        />
      </div>
      <FilterChips<SupplierFilter> filters={[['search', 'Search', search]]} onChange={setFilter} />
      <ListRows
        list="suppliers"
        address={address}
        label="Suppliers"
        query={query}
        columns={[...columns(useFormat()), ...(archived ? [restoring] : [])]}
        keyOf={({ id }) => id}
        sorts={sorts}
        bulk={{
          nameOf: ({ name }) => name,
          actions: (selection) => (
            <SupplierBulkActions selection={selection} isArchived={archived === true} />
          ),
        }}
        empty={emptyOf(search, archived)}
      />
    </PageBody>
  )
}

function emptyOf(search?: string, archived?: boolean) {
  if (search) return { title: 'No matching suppliers', text: 'Search for another name, or clear the search.' }
  if (archived) {
    const text = 'Suppliers that you archive, and those with orders that you delete, are listed here.'
    return { title: 'No archived suppliers', text }
  }
  return {
    title: 'No suppliers yet',
    text: 'Create a supplier for each company you buy from, or create them from the vendors of your products. Purchase orders are sent to their e-mail address.',
    action: <LinkButton to="/suppliers/new">Create a supplier</LinkButton>,
  }
}
