import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { ErrorNotice } from './error-notice.tsx'

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

/** Asks for confirmation of an action that is hard to undo. On close the focus returns to the element that had it. */
export const Confirm = ({
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
}: Props) => (
  <Modal
    opened={isOpen}
    onClose={onCancel}
    title={title}
    returnFocus={returnTo === undefined}
    onExitTransitionEnd={() => returnTo?.current?.focus()}
  >
    <Stack>
      <div>{children}</div>
      {error !== undefined && error !== null && <ErrorNotice error={error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {dismiss}
        </Button>
        <Button color={isDestructive ? 'red.9' : undefined} loading={isBusy} onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  </Modal>
)
