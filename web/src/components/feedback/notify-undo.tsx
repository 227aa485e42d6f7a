import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'

/** Long enough to reach the button by keyboard. */
const visibleMs = 20_000

const id = 'undoable'

/** Shows a success message with an Undo button, until the next such message replaces it. */
export function notifyUndoable(message: string, onUndo: () => void): void {
  hideUndo()
  notifications.show({
    id,
    message: <Undoable message={message} onUndo={() => undo()} />,
    color: 'green.8',
    autoClose: visibleMs,
  })
  const undo = () => {
    hideUndo()
    onUndo()
  }
}

/** Call this when a new action starts, so that the message does not cover its buttons. */
export const hideUndo = (): void => {
  notifications.hide(id)
}

/** Disables the button after a click: the message fades out, and a second click must not undo twice. */
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
