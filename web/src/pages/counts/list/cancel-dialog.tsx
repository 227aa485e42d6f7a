import type { RefObject } from 'react'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { clearLocalCount, type LoadedCount } from '../offline/local-count.ts'

type Props = {
  loaded: LoadedCount
  isOpen: boolean
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

export function CancelDialog({ loaded, isOpen, onClose, returnTo }: Props) {
  const { id } = loaded.count
  const cancel = useChange('PUT /stock-counts/:id', {
    onDone: () => {
      clearLocalCount(loaded)
      onClose()
      notifyDone(`Count #${id} cancelled`)
    },
  })
  return (
    <Confirm
      isOpen={isOpen}
      title={`Cancel count #${id}?`}
      confirm="Cancel the count"
      dismiss="Keep the count"
      isDestructive
      isBusy={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ params: { id }, body: { status: 'cancelled' } })}
      onCancel={onClose}
      returnTo={returnTo}
    >
      No stock changes. The count stays in the list as cancelled and can no longer be edited.
    </Confirm>
  )
}
