import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { Button, SegmentedControl, Stack, Text, useMatches } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { StockImportBasis } from '../../../../../shared/schemas/stock-imports.ts'
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
import { LocationPicker } from '../../../components/pickers/location-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { Reasons } from '../../../components/shop/reasons.tsx'
import { ImportChanges } from './import-changes.tsx'
import { PastImports } from './past-imports.tsx'

const sampleFile = [
  'SKU,Location,Quantity,Reason',
  'MUG-STN-350,Main warehouse,24,Recount',
  'MUG-STN-500,Main warehouse,0,Damaged',
  '',
].join('\r\n')

const bases: { value: StockImportBasis; label: string }[] = [
  { value: 'available', label: 'Set available' },
  { value: 'on_hand', label: 'Set on hand' },
  { value: 'adjust', label: 'Adjust by' },
]

/** The platform's export of the inventory has new pieces on hand, whatever is chosen. */
const isExport = (csv: string) => /on hand \(new\)/i.test(csv.split(/[\r\n]/, 1)[0] ?? '')

const basisOf = (csv: string, chosen: StockImportBasis) => (isExport(csv) ? 'on_hand' : chosen)

/** Sets or adjusts stock from a CSV file: a dry run shows old and new quantities before anything changes. */
export function StockImport() {
  const orientation = useMatches({ base: 'vertical', xs: 'horizontal' } as const)
  const { many } = useFormat()
  const [csv, setCsv] = useState('')
  const [chosenBasis, setBasis] = useState<StockImportBasis>('available')
  const basis = basisOf(csv, chosenBasis)
  const [locationId, setLocationId] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [fileError, setFileError] = useState<string>()
  const body = (text: string) => ({
    csv: text,
    basis: basisOf(text, chosenBasis),
    locationId,
    reason: reason.trim(),
  })
  const check = useChange('POST /stock-imports', {
    onRefused: (error) => setFileError(fieldErrors(error).csv),
  })
  const checkRows = (text: string) => {
    setFileError(undefined)
    load.reset()
    check.mutate({ body: { ...body(text), dryRun: true } })
  }
  const load = useChange('POST /stock-imports', {
    onDone: ({ changed }) => {
      notifyDone(`${many(changed, 'stock level')} changed.`)
      setCsv('')
      check.reset()
    },
    onRefused: (error) => {
      // the data changed after the check, so a new check shows the errors
      if (error instanceof ApiError && error.code === 'invalid_rows') checkRows(csv)
    },
  })
  const { dryRun: _dryRun, ...checked } = check.variables?.body ?? {}
  const isChecked = check.data !== undefined && JSON.stringify(checked) === JSON.stringify(body(csv))
  const error = (fileError === undefined && check.error) || load.error
  return (
    <PageBody>
      <PageHeader title="Import stock" back={{ to: '/stock', name: 'Stock' }} />
      <Card
        title="Rows"
        action={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
            onClick={() => downloadFile(new Blob([sampleFile], { type: 'text/csv' }), 'stock-sample.csv')}
          >
            Sample file
          </Button>
        }
      >
        <Stack>
          <FormLock isBusy={load.isPending}>
            <Text size="sm">
              Paste rows from a spreadsheet, or use a CSV file, such as the CSV of the Stock page or the
              inventory export of your shop. The first row has the column names: SKU, barcode or variant ID,
              then quantity, and location and reason unless you choose them here. A row without a quantity
              keeps its stock.
            </Text>
            <SegmentedControl
              aria-label="What the quantities do"
              data={bases}
              orientation={orientation}
              value={basis}
              disabled={isExport(csv)}
              onChange={(value) => setBasis(value as StockImportBasis)}
            />
            {isExport(csv) && (
              <Text size="sm" c="dimmed">
                The column “On hand (new)” sets what is on hand.
              </Text>
            )}
            <LocationPicker
              label="Location of rows without one"
              placeholder="Each row names its location"
              value={locationId}
              onChange={setLocationId}
              isClearable
            />
            <Reasons value={reason} onChange={setReason} />
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
        <ImportChanges
          result={check.data}
          isBusy={load.isPending}
          onImport={() => load.mutate({ body: { ...body(csv), dryRun: false } })}
        />
      )}
      <PastImports />
      <UnsavedGuard when={csv.trim() !== ''} />
    </PageBody>
  )
}
