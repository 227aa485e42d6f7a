import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, type RefObject, useState } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { useNoDoneMessages } from './notify.ts'

type Props = {
  isOpen: boolean
  title: string
  children: ReactNode
  confirm: string
  /** The label of the button that closes the dialog, where "Cancel" could be mistaken for the action. */
  dismiss?: string
  isDestructive?: boolean
  isBusy?: boolean
  error?: unknown
  onConfirm: () => void
  onCancel: () => void
  /** Gets the focus on close, when the element that opened the dialog is gone, such as a menu item. */
  returnTo?: RefObject<HTMLElement | null>
}

/**
 * Asks for confirmation of an action that is hard to undo. It stays open while the request runs, whose answer would otherwise
 * close it when it asks about another record. On close the focus returns to the element that had it.
 */
export function Confirm({
  isOpen,
  title,
  children,
  confirm,
  dismiss = 'Cancel',
  isDestructive,
  isBusy,
  error,
  onConfirm,
  onCancel,
  returnTo,
}: Props) {
  // an error from before the dialog was opened may be that of another record
  const [opened, setOpened] = useState({ isOpen, earlier: error })
  if (opened.isOpen !== isOpen) setOpened({ isOpen, earlier: isOpen ? error : opened.earlier })
  useNoDoneMessages(isOpen)
  const cancel = () => {
    if (!isBusy) onCancel()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={cancel}
      title={title}
      returnFocus={returnTo === undefined}
      onExitTransitionEnd={() => returnTo?.current?.focus()}
    >
      <Stack>
        <div>{children}</div>
        {error !== undefined && error !== null && error !== opened.earlier && <ErrorNotice error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" disabled={isBusy} onClick={cancel} data-autofocus>
            {dismiss}
          </Button>
          <Button color={isDestructive ? 'red.9' : undefined} loading={isBusy} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
