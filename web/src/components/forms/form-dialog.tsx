import { Modal, type ModalProps } from '@mantine/core'
import { useState } from 'react'
import { useNoDoneMessages } from '../feedback/notify.ts'
import { DialogLock } from './dialog-lock.ts'

/**
 * A dialog that stays open while a form in it waits for an answer, which would otherwise close the next dialog. A click beside it
 * does not close it, since what was typed would be lost.
 */
export function FormDialog({ onClose, children, ...look }: Omit<ModalProps, 'closeOnClickOutside'>) {
  const [isBusy, setBusy] = useState(false)
  useNoDoneMessages(look.opened)
  return (
    <Modal
      {...look}
      closeOnClickOutside={false}
      onClose={() => {
        if (!isBusy) onClose()
      }}
      closeButtonProps={{ 'aria-label': 'Close', disabled: isBusy }}
    >
      <DialogLock value={setBusy}>{children}</DialogLock>
    </Modal>
  )
}
