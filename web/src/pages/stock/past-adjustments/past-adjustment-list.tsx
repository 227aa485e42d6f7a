import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { PastAdjustment } from '../../../../../shared/schemas/past-adjustments.ts'
import { listQuery } from '../../../api/queries.ts'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { CsvButton } from '../../../components/tables/csv-button.tsx'
import { DataList } from '../../../components/tables/data-list.tsx'
import { ProductName } from '../../../components/tables/product-name.tsx'
import type { Column } from '../../../components/tables/row-table.tsx'

/** What the merchant's earlier app corrected. It moved no stock here. */
export function PastAdjustmentList() {
  const { dateTime, count, change } = useFormat()
  const query = useInfiniteQuery(listQuery('GET /past-adjustments', { query: {} }))
  const columns: Column<PastAdjustment>[] = [
    {
      name: 'Product',
      cell: ({ title, sku, variantId }) => <ProductName title={title} sku={sku} variantId={variantId} />,
    },
    { name: 'When', cell: ({ adjustedAt }) => dateTime(adjustedAt) },
    { name: 'Location', cell: ({ locationName }) => locationName ?? '–' },
    {
      name: 'Change',
      isNumber: true,
      cell: ({ quantity, previousQuantity, newQuantity }) => (
        <div>
          <strong>{change(quantity)}</strong>
          {previousQuantity !== null && newQuantity !== null && (
            <Text size="xs" c="dimmed">
              {count(previousQuantity)} → {count(newQuantity)}
            </Text>
          )}
        </div>
      ),
    },
    { name: 'Reason', cell: ({ reason, notes }) => [reason, notes].filter(Boolean).join(' · ') || '–' },
  ]
  return (
    <PageBody>
      <PageHeader
        title="Past adjustments"
        back={{ to: '/stock/history', name: 'Stock history' }}
        actions={<CsvButton path="/past-adjustments" query={{}} name="past-adjustments" />}
      />
      <DataList
        label="Past adjustments"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        empty={{
          title: 'No past adjustments',
          text: 'Adjustments of an earlier app come with its files, on the page Move in. Those made here are in the stock history.',
        }}
      />
    </PageBody>
  )
}
