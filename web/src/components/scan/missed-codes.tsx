import { Button, List, Text } from '@mantine/core'
import { useFormat } from '../shop/format.ts'
import type { CodeQueue } from './use-code-queue.ts'

type Props = {
  queue: CodeQueue
  /** The focus goes back to the field: the next scan would go nowhere. */
  onRemoved: () => void
  /** Puts a code into the search field. */
  onSearch?: (code: string) => void
}

/** The codes that wait for an answer, and those that were not added, each with its reason. */
export function MissedCodes({ queue: { waiting, missed, isAway, dropMissed }, onRemoved, onSearch }: Props) {
  const { many } = useFormat()
  return (
    <>
      {(isAway || waiting.length > 1) && (
        <Text size="sm" c="dimmed" role="status">
          {isAway
            ? `No answer yet. Kept until there is one: ${waiting.join(', ')}`
            : `Looking up ${many(waiting.length, 'code')} …`}
        </Text>
      )}
      {missed.length > 0 && (
        <div role="alert">
          <List size="sm" listStyleType="none" aria-label="Not added">
            {missed.map(({ code, times, reason }) => (
              <List.Item key={code} mt={4} c="var(--mantine-color-error)">
                {code}
                {times > 1 && ` (${many(times, 'scan')})`}: {reason}{' '}
                {onSearch && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Search ${code}`}
                    onClick={() => {
                      dropMissed(code)
                      onSearch(code)
                    }}
                  >
                    Search
                  </Button>
                )}{' '}
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Remove ${code}`}
                  onClick={() => {
                    dropMissed(code)
                    onRemoved()
                  }}
                >
                  Remove
                </Button>
              </List.Item>
            ))}
          </List>
        </div>
      )}
    </>
  )
}
