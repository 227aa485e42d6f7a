import { Button, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { downloadFile } from '../../browser/download.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { FormLock } from '../forms/form-lock.tsx'
import { UnsavedGuard } from '../forms/unsaved-guard.tsx'
import { Card } from '../layout/card.tsx'
import { RowsField } from './rows-field.tsx'
import type { RowsImport } from './use-rows-import.ts'

type Props = {
  form: Pick<RowsImport, 'field' | 'error' | 'isUnsaved' | 'isBusy'>
  title?: string
  label?: string
  sample: string
  /** The name of the sample as a file. */
  fileName?: string
  help: ReactNode
  /** The fields between the help and the rows. */
  children?: ReactNode
}

/** The card with the rows to import, and the error below it. Asks before the merchant leaves rows that are not imported. */
export function ImportRows({
  form,
  title = 'Rows',
  label = 'Rows',
  sample,
  fileName,
  help,
  children,
}: Props) {
  return (
    <>
      <Card
        title={title}
        action={
          fileName && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconDownload size={14} />}
              onClick={() => downloadFile(new Blob([sample], { type: 'text/csv' }), fileName)}
            >
              Sample file
            </Button>
          )
        }
      >
        <Stack>
          <FormLock isBusy={form.isBusy}>
            <Text size="sm">{help}</Text>
            {children}
            <RowsField
              label={label}
              sample={sample.replaceAll('\r', '').replace(/\n$/, '')}
              {...form.field}
            />
          </FormLock>
        </Stack>
      </Card>
      {Boolean(form.error) && <ErrorNotice error={form.error} />}
      <UnsavedGuard when={form.isUnsaved} />
    </>
  )
}
