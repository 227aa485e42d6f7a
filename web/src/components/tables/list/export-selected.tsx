import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { CsvPath } from '../../../api/endpoints.ts'
import { requestCsv } from '../../../api/request.ts'
import { downloadFile } from '../../../browser/download.ts'
import { notifyRefused } from '../../feedback/notify.ts'
import { useFormat } from '../../shop/format.ts'
import { useSettings } from '../../shop/settings.tsx'
import { dayOf } from '../../shop/shop-days.ts'

/** The API's limit of ids in the filter `ids`. */
const maxExported = 250

/** Downloads the selected rows of a list as CSV. `name` is the file name without the day and `.csv`. */
export function ExportSelected({ path, name, ids }: { path: CsvPath; name: string; ids: readonly number[] }) {
  const { count } = useFormat()
  const isTooMany = ids.length > maxExported
  const today = dayOf(new Date().toISOString(), useSettings().timeZone)
  const exported = useMutation({
    mutationFn: () => requestCsv(path, { query: { ids: ids.join() } }),
    onSuccess: (file) => downloadFile(file, `${name}-selected-${today}.csv`),
    onError: notifyRefused,
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconDownload size={14} aria-hidden />}
        loading={exported.isPending}
        disabled={ids.length === 0 || isTooMany}
        onClick={() => exported.mutate()}
      >
        Export CSV
      </Button>
      {isTooMany && <Text size="xs">Select at most {count(maxExported)} rows to export them.</Text>}
    </>
  )
}
