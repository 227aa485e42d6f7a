import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconDownload, IconFile } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ApiError } from '../../../api/api-error.ts'
import { useChange } from '../../../api/queries.ts'
import { downloadFile } from '../../../browser/download.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { fieldErrors } from '../../../components/forms/form-errors.ts'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { ImportCheck, ruleCount } from './import-check.tsx'
import { maxBytes, readText, sampleFile } from './rule-file.ts'

/** Rules from a spreadsheet. They are looked at first, and imported when nothing is wrong with them. */
export function RuleImport() {
  const navigate = useNavigate()
  const [csv, setCsv] = useState('')
  const [fault, setFault] = useState<string>()
  const forgetFile = useRef<() => void>(null)
  const check = useChange('POST /reorder/rules/import', {
    onRefused: (error) => setFault(fieldErrors(error).csv),
  })
  const look = (text: string) => {
    setFault(undefined)
    load.reset()
    check.mutate({ body: { csv: text, dryRun: true } })
  }
  const load = useChange('POST /reorder/rules/import', {
    onDone: ({ created, updated }) => {
      notifyDone(`${ruleCount(created)} created, ${ruleCount(updated)} changed.`)
      return navigate({ to: '/reorder/rules', ignoreBlocker: true })
    },
    onRefused: (error) => {
      // something has changed since it was looked at: what, is told by another look
      if (error instanceof ApiError && error.code === 'invalid_rows')
        check.mutate({ body: { csv, dryRun: true } })
    },
  })
  const pick = async (file: File | null) => {
    if (!file) return
    // so that it can be chosen again when it was mended
    forgetFile.current?.()
    if (file.size > maxBytes) {
      setFault('This file is too large. Split it into files of at most 900 kB.')
      return
    }
    const text = await readText(file)
    setCsv(text)
    look(text)
  }
  const isChecked = check.data !== undefined && check.variables?.body.csv === csv
  const error = (fault === undefined && check.error) || load.error
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
          <Text size="sm">
            A CSV file whose first row names its columns: sku, barcode or variantId, then any of reorderPoint,
            reorderQuantity, supplier, location, mode (manual or auto), serviceLevel and reviewDays. Empty
            cells leave what is there. A product that has a rule for the location gets the new numbers.
          </Text>
          <Group gap="xs">
            <FileButton onChange={pick} resetRef={forgetFile} accept=".csv,.txt,.tsv,text/csv,text/plain">
              {(props) => (
                <Button {...props} variant="default" leftSection={<IconFile size={16} />}>
                  Choose a file
                </Button>
              )}
            </FileButton>
            <Text size="sm" c="dimmed">
              or paste the rows here:
            </Text>
          </Group>
          <Textarea
            label="Rows of the file"
            rows={8}
            value={csv}
            onChange={(event) => setCsv(event.currentTarget.value)}
            placeholder={sampleFile.trim().replaceAll('\r', '')}
            spellCheck={false}
            error={fault}
          />
          <Group justify="flex-end">
            <Button
              variant={isChecked ? 'default' : 'filled'}
              onClick={() => look(csv)}
              loading={check.isPending}
              disabled={csv.trim() === ''}
            >
              Check
            </Button>
          </Group>
        </Stack>
      </Card>
      {Boolean(error) && <ErrorNotice error={error} />}
      {isChecked && (
        <ImportCheck
          found={check.data}
          isBusy={load.isPending}
          onImport={() => load.mutate({ body: { csv, dryRun: false } })}
        />
      )}
      <UnsavedGuard when={csv.trim() !== '' && !load.isSuccess} />
    </PageBody>
  )
}
