import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { readQuery } from '../../../api/queries.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { CheckResult } from '../../../components/import/check-result.tsx'
import { ImportRows } from '../../../components/import/import-rows.tsx'
import { useRowsImport } from '../../../components/import/use-rows-import.ts'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useFormat } from '../../../components/shop/format.ts'

const route = getRouteApi('/suppliers/price-list')

const sample = `sku\tsupplier sku\tprice\tpack size\tmin quantity\tvalid from
MUG-STN-350\tN-350\t4.20\t6\t1\t
MUG-STN-350\tN-350\t3.90\t6\t48\t`

/** Imports a price list from a file or from cells of a spreadsheet: a dry run names every invalid row first. */
export function PriceListImport() {
  const { supplierId } = route.useSearch()
  const navigate = usePageNavigate()
  const { many, count } = useFormat()
  const supplier = useQuery({
    ...readQuery('GET /suppliers/:id', { params: { id: supplierId ?? 0 } }),
    enabled: supplierId !== undefined,
  })
  const form = useRowsImport('POST /supplier-prices/import', {
    bodyOf: (csv) => ({ csv, ...(supplierId !== undefined && { supplierId }) }),
    onDone: ({ created, updated }) => {
      notifyDone(`${many(created, 'product')} added, ${count(updated)} changed.`)
      return supplierId === undefined
        ? navigate({ to: '/suppliers', search: {}, ignoreBlocker: true })
        : navigate({
            to: '/suppliers/$id/products',
            params: { id: supplierId },
            search: {},
            ignoreBlocker: true,
          })
    },
  })
  const back =
    supplierId === undefined
      ? { to: '/suppliers', name: 'Suppliers' }
      : { to: `/suppliers/${supplierId}/products`, name: supplier.data?.name ?? 'the supplier' }
  return (
    <PageBody>
      <PageHeader title="Import a price list" back={back} />
      <ImportRows
        form={form}
        title={supplier.data ? `Prices of ${supplier.data.name}` : 'Prices'}
        label="Rows of the price list"
        sample={sample}
        help={
          <>
            Copy the rows of a spreadsheet with the column names in the first row, or choose a CSV file.
            Columns: {supplierId === undefined && 'supplier, then '}
            sku, supplier sku or barcode; price, currency, min quantity, pack size, minimum, multiple, lead
            time, valid from, valid to (as in 2026-03-01) and rank. Empty cells keep the current value. A
            price without a date holds from today on.
          </>
        }
      />
      <CheckResult form={form}>
        {({ rows, created, updated, unchanged }) => (
          <Card title="Ready to import">
            <Stack>
              <Text role="status">
                {many(rows, 'row')}: {many(created, 'product')} to be added, {count(updated)} to be changed,{' '}
                {count(unchanged)} as they are.
              </Text>
              <Group justify="flex-end">
                <Button loading={form.isBusy} disabled={created + updated === 0} onClick={form.importRows}>
                  Import
                </Button>
              </Group>
            </Stack>
          </Card>
        )}
      </CheckResult>
    </PageBody>
  )
}
