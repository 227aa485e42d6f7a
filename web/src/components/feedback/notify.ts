import { notifications, notificationsStore } from '@mantine/notifications'
import { useEffect } from 'react'
import { messageOf } from '../../api/api-error.ts'

const donePrefix = 'done-'
let doneCount = 0

/** Shows that an action succeeded, until a dialog opens and for at most five seconds. */
export function notifyDone(message: string): void {
  doneCount += 1
  notifications.show({ id: `${donePrefix}${doneCount}`, message, color: 'green.8' })
}

/** Hides the messages of `notifyDone` when a dialog opens, since they would cover its buttons. */
export const useNoDoneMessages = (isDialogOpen: boolean): void =>
  useEffect(() => {
    if (!isDialogOpen) return
    notifications.updateState(notificationsStore, (all) =>
      all.filter(({ id }) => !id?.startsWith(donePrefix)),
    )
  }, [isDialogOpen])

/** Shows why an optimistic change was reverted. The message stays until the user closes it. */
export const notifyRefused = (error: unknown) =>
  notifications.show({ message: messageOf(error), color: 'red.9', autoClose: false, role: 'alert' })
