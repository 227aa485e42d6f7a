import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { CsvButton } from '../../components/tables/csv-button.tsx'
import { DocumentFilters } from '../../components/tables/document-filters.tsx'
import { DocumentChips } from '../../components/tables/list/document-chips.tsx'
import { ExportSelected } from '../../components/tables/list/export-selected.tsx'
import { useListAddress } from '../../components/tables/list/list-address.ts'
import { ListRows } from '../../components/tables/list/list-rows.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { readReturnFilter, states } from './filter.ts'
import { returnColumns } from './return-columns.tsx'
import { returnStateName } from './return-looks.ts'
import { sorts } from './sorts.ts'

const route = getRouteApi('/returns')

export function ReturnList() {
  const address = useListAddress(route, readReturnFilter)
  const { filter, isFiltered, setFilter } = address
  const { state, supplierId, search } = filter
  const query = useInfiniteQuery(listQuery('GET /supplier-returns', { query: { ...filter, count: true } }))
  const create = (
    <LinkButton to="/returns/new" search={{ supplierId }} leftSection={<IconPlus size={16} />}>
      Create a return
    </LinkButton>
  )
  return (
    <PageBody>
      <PageHeader
        title="Returns to suppliers"
        back={{ to: '/receipts', name: 'Receipts' }}
        actions={
          <>
            <CsvButton path="/supplier-returns" query={filter} name="returns" />
            {create}
          </>
        }
      />
      <DocumentFilters
        filter={{ search, supplierId }}
        onChange={setFilter}
        searchLabel="Search returns"
        placeholder="Number, reference or supplier"
      >
        <StatusLinks>
          {[undefined, ...states].map((option) => (
            <StatusLink
              key={option ?? 'all'}
              to="/returns"
              search={{ ...filter, state: option }}
              isChosen={option === state}
            >
              {option ? returnStateName(option) : 'All'}
            </StatusLink>
          ))}
        </StatusLinks>
      </DocumentFilters>
      <DocumentChips filter={{ search, supplierId }} onChange={setFilter} />
      <ListRows
        list="returns"
        address={address}
        label="Returns to suppliers"
        query={query}
        columns={returnColumns(useFormat())}
        keyOf={({ id }) => id}
        sorts={sorts}
        bulk={{
          nameOf: ({ number }) => `Return ${number}`,
          actions: ({ rows }) => (
            <ExportSelected path="/supplier-returns" name="returns" ids={rows.map(({ id }) => id)} />
          ),
        }}
        empty={
          isFiltered
            ? {
                title: 'No matching returns',
                text: 'Choose another state or supplier, or search for something else.',
              }
            : {
                title: 'No returns yet',
                text: 'Create a return for goods that go back to a supplier. From a receipt on an order’s page, it begins with the goods that arrived.',
                action: create,
              }
        }
      />
    </PageBody>
  )
}
