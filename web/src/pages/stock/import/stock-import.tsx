import '@mantine/core/styles/FloatingIndicator.css'
import '@mantine/core/styles/SegmentedControl.css'
import { SegmentedControl, Text, useMatches } from '@mantine/core'
import { useState } from 'react'
import type { StockImportBasis } from '../../../../../shared/schemas/stock-imports.ts'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { CheckResult } from '../../../components/import/check-result.tsx'
import { ImportRows } from '../../../components/import/import-rows.tsx'
import { useRowsImport } from '../../../components/import/use-rows-import.ts'
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
  const [chosenBasis, setBasis] = useState<StockImportBasis>('available')
  const [locationId, setLocationId] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const form = useRowsImport('POST /stock-imports', {
    bodyOf: (csv) => ({ csv, basis: basisOf(csv, chosenBasis), locationId, reason: reason.trim() }),
    onDone: ({ changed }) => {
      notifyDone(`${many(changed, 'stock level')} changed.`)
      form.clear()
    },
  })
  const csv = form.field.rows
  return (
    <PageBody>
      <PageHeader title="Import stock" back={{ to: '/stock', name: 'Stock' }} />
      <ImportRows
        form={form}
        sample={sampleFile}
        fileName="stock-sample.csv"
        help="Paste rows from a spreadsheet, or use a CSV file, such as the CSV of the Stock page or the inventory export of your shop. The first row has the column names: SKU, barcode or variant ID, then quantity, and location and reason unless you choose them here. A row without a quantity keeps its stock."
      >
        <SegmentedControl
          aria-label="What the quantities do"
          data={bases}
          orientation={orientation}
          value={basisOf(csv, chosenBasis)}
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
      </ImportRows>
      <CheckResult form={form}>
        {(result) => <ImportChanges result={result} isBusy={form.isBusy} onImport={form.importRows} />}
      </CheckResult>
      <PastImports />
    </PageBody>
  )
}
