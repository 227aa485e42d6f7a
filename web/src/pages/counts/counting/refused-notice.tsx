import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { sentenceOf } from '../../../api/api-error.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Tally } from '../offline/draft.ts'
import type { TallyState } from '../offline/state.ts'

/** The API does not take what was counted: why, and what to do. Nothing is given up before somebody says so. */
export function RefusedNotice({ tally, state }: { tally: Tally; state: TallyState }) {
  const { many } = useFormat()
  const [isAsked, setAsked] = useState(false)
  const numbers = many(state.entries.size, 'number')
  return (
    <Notice tone="bad" title="What you counted is not saved">
      <Text c="#1c2024">
        {sentenceOf(state.refusal)} On this device alone: {numbers}.
      </Text>
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={() => void tally.settle()}>
          Try again
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsked(true)}>
          Give them up
        </Button>
      </Group>
      <Confirm
        isOpen={isAsked}
        title={`Give up ${numbers}?`}
        confirm="Give up"
        isDestructive
        onConfirm={() => {
          setAsked(false)
          tally.discard()
        }}
        onCancel={() => setAsked(false)}
      >
        The products are as they were saved before. Those that were not are to be counted again.
      </Confirm>
    </Notice>
  )
}
