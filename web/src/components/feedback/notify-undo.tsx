import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'

/** Long enough to reach the button by keyboard, too. */
const visibleMs = 20_000

const id = 'undoable'

/** Says that something was done, and offers to take it back until the next such message. */
export function notifyUndoable(message: string, onUndo: () => void): void {
  withdrawUndo()
  notifications.show({
    id,
    message: <Undoable message={message} onUndo={() => undo()} />,
    color: 'green.8',
    autoClose: visibleMs,
  })
  const undo = () => {
    withdrawUndo()
    onUndo()
  }
}

/** For when something else begins, whose buttons the message would lie upon. */
export const withdrawUndo = () => notifications.hide(id)

/** A message takes a moment to go, in which a second press must not take back twice. */
function Undoable({ message, onUndo }: { message: string; onUndo: () => void }) {
  const [isUndone, setUndone] = useState(false)
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <span>{message}</span>
      <Button
        variant="default"
        size="xs"
        flex="none"
        disabled={isUndone}
        onClick={() => {
          setUndone(true)
          onUndo()
        }}
      >
        Undo
      </Button>
    </Group>
  )
}
