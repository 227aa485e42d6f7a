import { notifyDone } from '../../../components/feedback/notify.ts'
import { CheckResult } from '../../../components/import/check-result.tsx'
import { ImportRows } from '../../../components/import/import-rows.tsx'
import { useRowsImport } from '../../../components/import/use-rows-import.ts'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { ImportCheck, ruleCount } from './import-check.tsx'
import { sampleFile } from './rule-file.ts'

/** Imports rules from a CSV file: a dry run checks all rows before the merchant can import them. */
export function RuleImport() {
  const navigate = usePageNavigate()
  const form = useRowsImport('POST /reorder/rules/import', {
    bodyOf: (csv) => ({ csv }),
    onDone: ({ created, updated }) => {
      notifyDone(`${ruleCount(created)} created, ${ruleCount(updated)} changed.`)
      return navigate({ to: '/reorder/rules', ignoreBlocker: true })
    },
  })
  return (
    <PageBody>
      <PageHeader title="Import rules" back={{ to: '/reorder/rules', name: 'Reorder rules' }} />
      <ImportRows
        form={form}
        label="Rows of the file"
        sample={sampleFile}
        fileName="reorder-rules-sample.csv"
        help="Use a CSV file with column names in the first row: sku, barcode or variantId, then any of reorderPoint, reorderQuantity, supplier, location, mode (manual or auto), serviceLevel, reviewDays and maxLevel. Empty cells keep the current value. An existing rule for the product and location is updated."
      />
      <CheckResult form={form}>
        {(result) => <ImportCheck result={result} isBusy={form.isBusy} onImport={form.importRows} />}
      </CheckResult>
    </PageBody>
  )
}
