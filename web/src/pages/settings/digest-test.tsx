import { Button, Group, List, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DigestTest as Test } from '../../../../shared/schemas/digest.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { useFormat } from '../../components/shop/format.ts'

const query = readQuery('GET /digest/test', {})
const pollMs = 1_500

const isPending = (test: Test | null | undefined) => test?.mails.some(({ state }) => state === 'pending')

/** The button that sends today's digest to the saved recipients, after the other buttons of the card. */
export function SendTest({ isDirty, children }: { isDirty: boolean; children: ReactNode }) {
  const client = useQueryClient()
  const send = useChange('POST /digest/test', {
    onDone: (last) => {
      client.setQueryData(query.queryKey, { last })
      notifyDone(`Sending a test to ${last.mails.map(({ recipient }) => recipient).join(', ')}`)
    },
  })
  return (
    <>
      {send.error && <ErrorNotice error={send.error} />}
      <Group gap="xs">
        {children}
        <Button variant="default" loading={send.isPending} disabled={isDirty} onClick={() => send.mutate({})}>
          Send a test
        </Button>
        {isDirty && (
          <Text size="sm" c="dimmed">
            Save to send a test.
          </Text>
        )}
      </Group>
    </>
  )
}

/** What became of the newest test, for each recipient. */
export function LastTest() {
  const { dateTime } = useFormat()
  const { data } = useQuery({
    ...query,
    refetchInterval: ({ state }) => (isPending(state.data?.last) ? pollMs : false),
  })
  const test = data?.last
  return (
    <div role="status">
      {test && (
        <>
          <Text size="sm" c="dimmed">
            Last test, {dateTime(test.requestedAt)}:
          </Text>
          <List size="sm" c="dimmed">
            {test.mails.map(({ recipient, state, reason }) => (
              <List.Item key={recipient}>
                {recipient}: {words[state]}
                {reason && `. ${reason}`}
              </List.Item>
            ))}
          </List>
        </>
      )}
    </div>
  )
}

const words: Record<Test['mails'][number]['state'], string> = {
  pending: 'being sent',
  sent: 'sent',
  failed: 'not sent',
}
