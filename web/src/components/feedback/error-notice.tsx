import { Button, Text } from '@mantine/core'
import { ApiError, sentenceOf } from '../../api/api-error.ts'
import { Notice } from './notice.tsx'

/** What went wrong and what to do, in place of what could not be shown or done. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const requestId = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined
  return (
    <Notice tone="bad">
      <Text c="#1c2024">{sentenceOf(error)}</Text>
      {requestId && (
        <Text size="sm" c="#1c2024">
          If you ask for help, name {requestId}.
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
