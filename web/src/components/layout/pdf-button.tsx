import { Button } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { requestPdf } from '../../api/request.ts'
import { openFile } from '../../browser/download.ts'
import { notifyRefused } from '../feedback/notify.ts'

type Props = {
  /** The address below `/api`. */
  path: string
  /** Of the downloaded file, when the browser blocks the new tab. */
  file: string
  label?: string
  icon?: ReactNode
}

/** Opens a PDF of the API in a new tab. */
export function PdfButton({ path, file, label = 'PDF', icon = <IconFileText size={16} /> }: Props) {
  const open = useMutation({
    mutationFn: async () => openFile(await requestPdf(path), file),
    onError: notifyRefused,
  })
  return (
    <Button variant="default" leftSection={icon} loading={open.isPending} onClick={() => open.mutate()}>
      {label}
    </Button>
  )
}
