import { Button, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'
import { downloadFile } from '../../../browser/download.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { RowsField } from '../../../components/import/rows-field.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { ImportCheck, ruleCount } from './import-check.tsx'
import { sampleFile } from './rule-file.ts'

/** Imports rules from a CSV file: a dry run checks all rows before the merchant can import them. */
export function RuleImport() {
  const navigate = usePageNavigate()
  const [csv, setCsv] = useState('')
  const [fileError, setFileError] = useState<string>()
  const check = useChange('POST /reorder/rules/import', {
    onRefused: (error) => setFileError(fieldErrors(error).csv),
  })
  const checkRows = (text: string) => {
    setFileError(undefined)
    load.reset()
    check.mutate({ body: { csv: text, dryRun: true } })
  }
  const load = useChange('POST /reorder/rules/import', {
    onDone: ({ created, updated }) => {
      notifyDone(`${ruleCount(created)} created, ${ruleCount(updated)} changed.`)
      return navigate({ to: '/reorder/rules', ignoreBlocker: true })
    },
    onRefused: (error) => {
      // the data changed after the check, so a new check shows the errors
      if (error instanceof ApiError && error.code === 'invalid_rows')
        check.mutate({ body: { csv, dryRun: true } })
    },
  })
  const isChecked = check.data !== undefined && check.variables?.body.csv === csv
  const error = (fileError === undefined && check.error) || load.error
  return (
    <PageBody>
      <PageHeader title="Import rules" back={{ to: '/reorder/rules', name: 'Reorder rules' }} />
      <Card
        title="Rows"
        action={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
            onClick={() =>
              downloadFile(new Blob([sampleFile], { type: 'text/csv' }), 'reorder-rules-sample.csv')
            }
          >
            Sample file
          </Button>
        }
      >
        <Stack>
          <FormLock isBusy={load.isPending}>
            <Text size="sm">
              Use a CSV file with column names in the first row: sku, barcode or variantId, then any of
              reorderPoint, reorderQuantity, supplier, location, mode (manual or auto), serviceLevel,
              reviewDays and maxLevel. Empty cells keep the current value. An existing rule for the product
              and location is updated.
            </Text>
            <RowsField
              label="Rows of the file"
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
      {isChecked && (
        <ImportCheck
          result={check.data}
          isBusy={load.isPending}
          onImport={() => load.mutate({ body: { csv, dryRun: false } })}
        />
      )}
      <UnsavedGuard when={csv.trim() !== '' && !load.isSuccess} />
    </PageBody>
  )
}
