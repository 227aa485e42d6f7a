import { notifications } from '@mantine/notifications'
import { messageOf } from '../../api/api-error.ts'

export const notifyDone = (message: string) => notifications.show({ message, color: 'green.8' })

/** Shows why an optimistic change was reverted. The message stays until the user closes it. */
export const notifyRefused = (error: unknown) =>
  notifications.show({ message: messageOf(error), color: 'red.9', autoClose: false, role: 'alert' })
