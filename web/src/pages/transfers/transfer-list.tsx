import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { StockTransferListItem } from '../../../../shared/schemas/stock-transfers.ts'
import { listing } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'
import { statuses } from './filter.ts'
import { TransferStatusBadge, transferStatusName } from './transfer-status.tsx'

const route = getRouteApi('/transfers')

export function TransferList() {
  const { status } = route.useSearch()
  const query = useInfiniteQuery(listing('GET /stock-transfers', { query: { status } }))
  const create = (
    <LinkButton to="/transfers/new" leftSection={<IconPlus size={16} />}>
      Create transfer
    </LinkButton>
  )
  return (
    <PageBody>
      <PageHeader title="Transfers" actions={create} />
      <StatusLinks>
        {[undefined, ...statuses].map((one) => (
          <StatusLink key={one ?? 'all'} to="/transfers" search={{ status: one }} isChosen={one === status}>
            {one ? transferStatusName(one) : 'All'}
          </StatusLink>
        ))}
      </StatusLinks>
      <DataList
        label="Transfers"
        query={query}
        columns={columns(useFormat())}
        keyOf={({ id }) => id}
        empty={
          status
            ? { title: 'No transfer like this', text: 'Choose another status.' }
            : {
                title: 'No transfers yet',
                text: 'Create one to move stock from one of your locations to another.',
                action: create,
              }
        }
      />
    </PageBody>
  )
}

const columns = (format: ReturnType<typeof useFormat>): Column<StockTransferListItem>[] => [
  {
    name: 'Transfer',
    cell: ({ id }) => (
      <RowLink to="/transfers/$id" params={{ id }}>
        #{id}
      </RowLink>
    ),
  },
  { name: 'From', cell: ({ sourceLocationName }) => sourceLocationName },
  { name: 'To', cell: ({ destinationLocationName }) => destinationLocationName },
  { name: 'Status', cell: ({ status }) => <TransferStatusBadge status={status} /> },
  { name: 'Lines', cell: ({ itemCount }) => format.count(itemCount), isNumber: true },
  { name: 'Created', cell: ({ createdAt }) => format.day(createdAt) },
]
