import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode, RefObject } from 'react'
import { ErrorNotice } from './error-notice.tsx'

type Props = {
  isOpen: boolean
  title: string
  /** Says what happens then. */
  children: ReactNode
  /** The verb on the button. */
  confirm: string
  isDestructive?: boolean
  isBusy?: boolean
  error?: unknown
  onConfirm: () => void
  onCancel: () => void
  /** Where the focus goes afterwards, when what it came from is not there any more, as the items of a menu. */
  returnTo?: RefObject<HTMLElement | null>
}

/** Asks once before something that is not easily undone. The focus goes back to where it came from. */
export const Confirm = ({
  isOpen,
  title,
  children,
  confirm,
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
          Not now
        </Button>
        <Button color={isDestructive ? 'red.9' : undefined} loading={isBusy} onClick={onConfirm}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  </Modal>
)
