import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { CsvPath } from '../../api/endpoints.ts'
import { requestCsv } from '../../api/request.ts'
import { downloadFile } from '../../browser/download.ts'
import { notifyRefused } from '../feedback/notify.ts'
import { useSettings } from '../shop/settings.tsx'
import { dayOf } from '../shop/shop-days.ts'

type Props = {
  path: CsvPath
  params?: Record<string, number | string>
  query?: Record<string, string | number | undefined>
  /** The file name without the day and `.csv`. */
  name: string
  /** In the head of a card. */
  isSmall?: boolean
}

/** Downloads all pages of a list as CSV. */
export function CsvButton({ path, params, query = {}, name, isSmall = false }: Props) {
  const today = dayOf(new Date().toISOString(), useSettings().timeZone)
  const download = useMutation({
    mutationFn: () => requestCsv(path, { params, query }),
    onError: notifyRefused,
  })
  return (
    <Button
      variant="default"
      {...(isSmall && { size: 'xs' })}
      leftSection={<IconDownload size={isSmall ? 14 : 16} />}
      loading={download.isPending}
      onClick={() =>
        download.mutate(undefined, { onSuccess: (file) => downloadFile(file, `${name}-${today}.csv`) })
      }
    >
      CSV
    </Button>
  )
}
