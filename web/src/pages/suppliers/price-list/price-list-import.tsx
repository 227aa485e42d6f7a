import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { readQuery, useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { ImportFaults } from '../../../components/import/import-faults.tsx'
import { RowsField } from '../../../components/import/rows-field.tsx'
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
  const [csv, setCsv] = useState('')
  const [fileError, setFileError] = useState<string>()
  const bodyOf = (text: string, dryRun: boolean) => ({
    csv: text,
    dryRun,
    ...(supplierId !== undefined && { supplierId }),
  })
  const check = useChange('POST /supplier-prices/import', {
    onRefused: (error) => setFileError(fieldErrors(error).csv),
  })
  const load = useChange('POST /supplier-prices/import', {
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
    onRefused: (error) => {
      // the data changed after the check, so a new check shows the errors
      if (error instanceof ApiError && error.code === 'invalid_rows')
        check.mutate({ body: bodyOf(csv, true) })
    },
  })
  const checkRows = (text: string) => {
    setFileError(undefined)
    load.reset()
    check.mutate({ body: bodyOf(text, true) })
  }
  const isChecked = check.data !== undefined && check.variables?.body.csv === csv
  const error = (fileError === undefined && check.error) || load.error
  const back =
    supplierId === undefined
      ? { to: '/suppliers', name: 'Suppliers' }
      : { to: `/suppliers/${supplierId}/products`, name: supplier.data?.name ?? 'the supplier' }
  return (
    <PageBody>
      <PageHeader title="Import a price list" back={back} />
      <Card title={supplier.data ? `Prices of ${supplier.data.name}` : 'Prices'}>
        <Stack>
          <FormLock isBusy={load.isPending}>
            <Text size="sm">
              Copy the rows of a spreadsheet with the column names in the first row, or choose a CSV file.
              Columns: {supplierId === undefined && 'supplier, then '}
              sku, supplier sku or barcode; price, currency, min quantity, pack size, minimum, multiple, lead
              time, valid from, valid to (as in 2026-03-01) and rank. Empty cells keep the current value. A
              price without a date holds from today on.
            </Text>
            <RowsField
              label="Rows of the price list"
              sample={sample}
              rows={csv}
              onChange={setCsv}
              onCheck={checkRows}
              isChecking={check.isPending}
              isChecked={isChecked}
              error={fileError}
            />
          </FormLock>
        </Stack>
      </Card>
      {Boolean(error) && <ErrorNotice error={error} />}
      {isChecked && check.data.faults.length > 0 && <ImportFaults faults={check.data.faults} />}
      {isChecked && check.data.faults.length === 0 && (
        <Card title="Ready to import">
          <Stack>
            <Text role="status">
              {many(check.data.rows, 'row')}: {many(check.data.created, 'product')} to be added,{' '}
              {count(check.data.updated)} to be changed, {count(check.data.unchanged)} as they are.
            </Text>
            <Group justify="flex-end">
              <Button
                loading={load.isPending}
                disabled={check.data.created + check.data.updated === 0}
                onClick={() => load.mutate({ body: bodyOf(csv, false) })}
              >
                Import
              </Button>
            </Group>
          </Stack>
        </Card>
      )}
      <UnsavedGuard when={csv.trim() !== '' && !load.isSuccess} />
    </PageBody>
  )
}
