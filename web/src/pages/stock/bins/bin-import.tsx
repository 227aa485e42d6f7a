import { Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { ImportedBins } from '../../../../../shared/schemas/bins.ts'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'
import { downloadFile } from '../../../browser/download.ts'
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
  const { count } = useFormat()
  const navigate = usePageNavigate()
  const [csv, setCsv] = useState('')
  const [locationId, setLocationId] = useState<string | null>(null)
  const [fileError, setFileError] = useState<string>()
  const check = useChange('POST /bins/import', {
    onRefused: (error) => setFileError(fieldErrors(error).csv),
  })
  const checkRows = (text: string) => {
    setFileError(undefined)
    load.reset()
    check.mutate({ body: { csv: text, locationId, dryRun: true } })
  }
  const load = useChange('POST /bins/import', {
    onDone: ({ saved, removed }) => {
      notifyDone(`${count(saved)} bins saved, ${count(removed)} removed.`)
      return navigate({ to: '/stock', search: { sort: 'bin' }, ignoreBlocker: true })
    },
    onRefused: (error) => {
      // the data changed after the check, so a new check shows the errors
      if (error instanceof ApiError && error.code === 'invalid_rows') checkRows(csv)
    },
  })
  const checked = check.variables?.body
  const isChecked = check.data !== undefined && checked?.csv === csv && checked.locationId === locationId
  const error = (fileError === undefined && check.error) || load.error
  return (
    <PageBody>
      <PageHeader title="Set bins" back={{ to: '/stock', name: 'Stock' }} />
      <Card
        title="Rows"
        action={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
            onClick={() => downloadFile(new Blob([sampleFile], { type: 'text/csv' }), 'bins-sample.csv')}
          >
            Sample file
          </Button>
        }
      >
        <Stack>
          <FormLock isBusy={load.isPending}>
            <Text size="sm">
              Paste rows from a spreadsheet, or use a CSV file. The first row has the column names: sku,
              barcode or variantId, then bin, and location unless you choose one here. An empty bin removes
              it.
            </Text>
            <LocationPicker
              label="Location of rows without one"
              placeholder="Each row names its location"
              value={locationId}
              onChange={setLocationId}
              isClearable
            />
            <RowsField
              label="Rows"
              sample={sampleFile.trim().replaceAll('\r', '')}
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
        <Outcome
          result={check.data}
          isBusy={load.isPending}
          onSave={() => load.mutate({ body: { csv, locationId, dryRun: false } })}
        />
      )}
      <UnsavedGuard when={csv.trim() !== '' && !load.isSuccess} />
    </PageBody>
  )
}

type OutcomeProps = { result: ImportedBins; isBusy: boolean; onSave: () => void }

function Outcome({ result: { rows, saved, removed }, isBusy, onSave }: OutcomeProps) {
  const { count } = useFormat()
  const hasChanges = saved + removed > 0
  const text =
    rows === 0
      ? 'There are no rows below the header row. Add a row for each product.'
      : hasChanges
        ? `${rows === 1 ? '1 row' : `${count(rows)} rows`}: ${count(saved)} bins to be saved, ${count(removed)} to be removed.`
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
