import { Button, Text } from '@mantine/core'
import { ApiError, messageOf } from '../../api/api-error.ts'
import { Notice } from './notice.tsx'

/** For faulty fields their number: each field shows its own error. */
function textOf(error: unknown): string {
  if (!(error instanceof ApiError) || !fieldCodes.has(error.code) || error.details.length === 0)
    return messageOf(error)
  return error.details.length === 1 ? 'Fix 1 field to save.' : `Fix ${error.details.length} fields to save.`
}

const fieldCodes = new Set(['invalid_request', 'not_a_number'])

/** An error message, with the request ID of a server error and a button to retry, or to reload without a session. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const isSessionOver = error instanceof ApiError && (error.status === 401 || error.code === 'no_session')
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined
  return (
    <Notice tone="bad">
      <Text c="#1c2024">{textOf(error)}</Text>
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
