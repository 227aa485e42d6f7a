import { useInfiniteQuery } from '@tanstack/react-query'
import type { ImportListItem } from '../../../../shared/schemas/imports.ts'
import { listQuery } from '../../api/queries.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { RowLink } from '../../components/tables/row-link.tsx'
import type { Column } from '../../components/tables/row-table.tsx'
import { DropFiles } from './drop-files.tsx'
import { ImportStateBadge, isBusy, kindNames, pollMs } from './import-state.tsx'
import { SampleFiles } from './sample-files.tsx'
import { shortSummary } from './summary.ts'

/** Where a shop moves in: files that are dropped here together become one import. */
export function ImportList() {
  const navigate = usePageNavigate()
  const format = useFormat()
  const query = useInfiniteQuery({
    ...listQuery('GET /imports', { query: {} }),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ records }) => records.some(isBusy)) ? pollMs : false,
  })
  const columns: Column<ImportListItem>[] = [
    {
      name: 'File',
      cell: ({ id, fileName }) => (
        <RowLink to="/imports/$id" params={{ id }}>
          {fileName}
        </RowLink>
      ),
    },
    { name: 'Contents', cell: ({ kind }) => (kind ? kindNames[kind] : '—') },
    { name: 'State', cell: (found) => <ImportStateBadge found={found} /> },
    {
      name: 'Result',
      cell: ({ summary, error }) => error || (summary ? shortSummary(summary, format) : '—'),
    },
    { name: 'Added', cell: ({ createdAt }) => format.dateTime(createdAt) },
  ]
  return (
    <PageBody>
      <PageHeader
        title="Move in"
        back={{ to: '/settings', name: 'Settings' }}
        actions={
          <LinkButton to="/imports/where-is" variant="default">
            Where is X from Stocky?
          </LinkButton>
        }
      />
      <DropFiles onDone={(id) => void navigate({ to: '/imports/$id', params: { id } })} />
      <SampleFiles />
      <DataList
        title="Imports"
        label="Imports"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        empty={{
          title: 'No files yet',
          text: 'Add the files that you saved from your earlier app, or the rows of a spreadsheet. Each import can be reverted.',
        }}
      />
    </PageBody>
  )
}
