import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { requestCsv } from '../../api/request.ts'
import { downloadFile } from '../../browser/download.ts'
import { notifyRefused } from '../feedback/notify.ts'

type Props = {
  /** Of the API, as in `/stock/levels`. */
  path: string
  query?: Record<string, string | number | undefined>
  /** What the file is called, without its ending. */
  name: string
}

/** Downloads a list as CSV: all of it, not only the page that is shown. */
export function CsvButton({ path, query = {}, name }: Props) {
  const reading = useMutation({
    mutationFn: () => requestCsv(path, query),
    onError: notifyRefused,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={reading.isPending}
      onClick={() => reading.mutate(undefined, { onSuccess: (file) => downloadFile(file, `${name}.csv`) })}
    >
      CSV
    </Button>
  )
}
