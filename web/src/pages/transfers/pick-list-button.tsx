import { Button } from '@mantine/core'
import { IconListCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { requestPdf } from '../../api/request.ts'
import { openFile } from '../../browser/download.ts'
import { notifyRefused } from '../../components/feedback/notify.ts'

/** Opens the pick list of a transfer, in the order of bins, as a PDF. */
export function PickListButton({ id }: { id: number }) {
  const open = useMutation({
    mutationFn: async () =>
      openFile(await requestPdf(`/stock-transfers/${id}/pick-list.pdf`), `pick-list-${id}.pdf`),
    onError: notifyRefused,
  })
  return (
    <Button
      variant="default"
      leftSection={<IconListCheck size={16} />}
      loading={open.isPending}
      onClick={() => open.mutate()}
    >
      Pick list
    </Button>
  )
}
