import { Button, Text } from '@mantine/core'
import { ApiError, messageOf } from '../../api/api-error.ts'
import { Notice } from './notice.tsx'

const fieldCodes = new Set(['invalid_request', 'not_a_number'])

type Props = {
  error: unknown
  /** What failed, where the page does not say it. */
  title?: string
  onRetry?: () => unknown
  /** The errors of the form's fields that are not corrected yet. */
  fields?: object
}

/**
 * An error message, with the request ID of a server error and a button to retry, or to reload without a session. For
 * faulty fields it is their number, since each field shows its own error, and nothing when `fields` is empty.
 */
export function ErrorNotice({ error, title, onRetry, fields }: Props) {
  const details = error instanceof ApiError && fieldCodes.has(error.code) ? error.details.length : 0
  const faults = details === 0 || !fields ? details : Object.keys(fields).length
  if (faults < details && faults === 0) return null
  const isSessionOver = error instanceof ApiError && (error.status === 401 || error.code === 'no_session')
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined
  return (
    <Notice tone="bad" {...(title && { title })}>
      <Text c="#1c2024">{faults > 0 ? describeFaults(faults, error) : messageOf(error)}</Text>
      {requestId && (
        <Text size="sm" c="#1c2024">
          If you contact support, give them the request ID {requestId}.
        </Text>
      )}
      {isSessionOver ? (
        <>
          <Text size="sm" c="#1c2024">
            If that does not help, open Quartermaster from the apps of your shop admin, where you can also
            install it again.
          </Text>
          <Button mt="sm" size="xs" variant="default" onClick={() => location.reload()}>
            Reload this page
          </Button>
        </>
      ) : (
        onRetry && (
          <Button mt="sm" size="xs" variant="default" onClick={() => onRetry()}>
            Try again
          </Button>
        )
      )}
    </Notice>
  )
}

function describeFaults(count: number, error: unknown): string {
  if (error instanceof ApiError && error.isRead) return 'A filter is not valid. Change or clear it.'
  return `Fix ${count} ${count === 1 ? 'field' : 'fields'} to save.`
}
