import { notifications, notificationsStore } from '@mantine/notifications'
import { useEffect } from 'react'
import { messageOf } from '../../api/api-error.ts'

/** Shows that an action succeeded, until a dialog opens and for at most five seconds. */
export const notifyDone = (message: string) =>
  notifications.show({ message, color: 'green.8', 'data-done': true })

/** Hides the messages of `notifyDone` when a dialog opens, since they would cover its buttons. */
export const useNoDoneMessages = (isDialogOpen: boolean): void =>
  useEffect(() => {
    if (isDialogOpen)
      notifications.updateState(notificationsStore, (all) => all.filter((each) => !each['data-done']))
  }, [isDialogOpen])

/** Shows why an optimistic change was reverted. The message stays until the user closes it. */
export const notifyRefused = (error: unknown) =>
  notifications.show({ message: messageOf(error), color: 'red.9', autoClose: false, role: 'alert' })
