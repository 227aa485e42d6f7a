import { Skeleton, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import type { PurchaseOrder } from '../../../../../shared/schemas/purchase-orders.ts'
import { readQuery } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Composer } from './composer.tsx'

type Props = {
  order: PurchaseOrder
  isOpen: boolean
  onClose: () => void
  returnTo?: RefObject<HTMLElement | null> | undefined
}

/** The e-mail of an order before it is sent: recipients, words and attachments, with a preview. */
export function SendDialog({ order, isOpen, onClose, returnTo }: Props) {
  const isNarrow = useMediaQuery('(max-width: 48em)')
  // as of the opening: while the first e-mail is being sent, the order already shows as sent
  const [opened, setOpened] = useState({ isOpen: false, isResend: false })
  if (opened.isOpen !== isOpen) {
    setOpened({ isOpen, isResend: isOpen ? order.status !== 'draft' : opened.isResend })
  }
  const { isResend } = opened
  return (
    <FormDialog
      opened={isOpen}
      onClose={onClose}
      title={isResend ? `E-mail ${order.poNumber} again` : `Send ${order.poNumber}`}
      size="64rem"
      fullScreen={isNarrow}
      returnFocus={returnTo === undefined}
      onExitTransitionEnd={() => returnTo?.current?.focus()}
    >
      <Loader order={order} isResend={isResend} onClose={onClose} />
    </FormDialog>
  )
}

function Loader({ order, isResend, onClose }: Pick<Props, 'order' | 'onClose'> & { isResend: boolean }) {
  const [attachCsv, setAttachCsv] = useState<boolean>()
  const params = { id: order.id }
  const preview = useQuery({
    ...readQuery('GET /purchase-orders/:id/send-preview', {
      params,
      query: attachCsv === undefined ? {} : { attachCsv },
    }),
    // the words follow the order, so each opening reads them again
    gcTime: 0,
    placeholderData: (before) => before,
  })
  const supplier = useQuery(readQuery('GET /suppliers/:id', { params: { id: order.supplierId } }))
  if (preview.error && !preview.data) return <ErrorNotice error={preview.error} onRetry={preview.refetch} />
  if (!preview.data || supplier.isPending) {
    return (
      <Stack aria-busy="true">
        <Skeleton height={36} />
        <Skeleton height={36} />
        <Skeleton height={200} />
      </Stack>
    )
  }
  return (
    <Composer
      order={order}
      preview={preview.data}
      previewError={preview.error}
      supplier={supplier.data}
      isResend={isResend}
      attachCsv={attachCsv ?? preview.data.attachCsv}
      onAttachCsv={setAttachCsv}
      onClose={onClose}
    />
  )
}
