import { notifications } from '@mantine/notifications'
import { sentenceOf } from '../../api/api-error.ts'

/** Says that something was done. */
export const notifyDone = (message: string) => notifications.show({ message, color: 'green.8' })

/** Says that something that looked done was not: it stays until it is closed. */
export const notifyRefused = (error: unknown) =>
  notifications.show({ message: sentenceOf(error), color: 'red.9', autoClose: false, role: 'alert' })
