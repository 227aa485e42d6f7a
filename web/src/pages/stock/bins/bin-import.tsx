import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ImportedBins } from '../../../../../shared/schemas/bins.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { CheckResult } from '../../../components/import/check-result.tsx'
import { ImportRows } from '../../../components/import/import-rows.tsx'
import { useRowsImport } from '../../../components/import/use-rows-import.ts'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'

const sampleFile = [
  'sku,location,bin',
  'MUG-STN-350,Main warehouse,A2-14',
  'MUG-STN-500,Main warehouse,A10-03',
  '',
].join('\r\n')

/** Sets bins from pasted rows or a CSV file: a dry run checks all rows before the merchant can save them. */
export function BinImport() {
  const { count, many } = useFormat()
  const navigate = usePageNavigate()
  const [locationId, setLocationId] = useState<string | null>(null)
  const form = useRowsImport('POST /bins/import', {
    bodyOf: (csv) => ({ csv, locationId }),
    onDone: ({ saved, removed }) => {
      notifyDone(`${many(saved, 'bin')} saved, ${count(removed)} removed.`)
      return navigate({ to: '/stock', search: { sort: 'bin' }, ignoreBlocker: true })
    },
  })
  return (
    <PageBody>
      <PageHeader title="Set bins" back={{ to: '/stock', name: 'Stock' }} />
      <ImportRows
        form={form}
        sample={sampleFile}
        fileName="bins-sample.csv"
        help="Paste rows from a spreadsheet, or use a CSV file. The first row has the column names: sku, barcode or variantId, then bin, and location unless you choose one here. An empty bin removes it."
      >
        <LocationPicker
          label="Location of rows without one"
          placeholder="Each row names its location"
          value={locationId}
          onChange={setLocationId}
          isClearable
        />
      </ImportRows>
      <CheckResult form={form}>
        {(result) => <Outcome result={result} isBusy={form.isBusy} onSave={form.importRows} />}
      </CheckResult>
    </PageBody>
  )
}

type OutcomeProps = { result: ImportedBins; isBusy: boolean; onSave: () => void }

function Outcome({ result: { rows, saved, removed }, isBusy, onSave }: OutcomeProps) {
  const { count, many } = useFormat()
  const hasChanges = saved + removed > 0
  const text =
    rows === 0
      ? 'There are no rows below the header row. Add a row for each product.'
      : hasChanges
        ? `${many(rows, 'row')}: ${many(saved, 'bin')} to be saved, ${count(removed)} to be removed.`
        : 'All products of these rows have these bins already.'
  return (
    <Card title={hasChanges ? 'Ready to save' : 'Nothing to save'}>
      <Stack>
        <Text role="status">{text}</Text>
        {hasChanges && (
          <Group justify="flex-end">
            <Button onClick={onSave} loading={isBusy}>
              Save bins
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
