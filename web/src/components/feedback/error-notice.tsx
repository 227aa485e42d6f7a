import { Button, Text } from '@mantine/core'
import { ApiError, messageOf } from '../../api/api-error.ts'
import { Notice } from './notice.tsx'

/** An error message, with the request ID of a server error and a button to retry. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined
  return (
    <Notice tone="bad">
      <Text c="#1c2024">{messageOf(error)}</Text>
      {requestId && (
        <Text size="sm" c="#1c2024">
          If you contact support, give them the request ID {requestId}.
        </Text>
      )}
      {onRetry && (
        <Button mt="sm" size="xs" variant="default" onClick={() => onRetry()}>
          Try again
        </Button>
      )}
    </Notice>
  )
}
