import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../../api/api-error.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { CountDraft } from '../offline/draft.ts'
import type { CountDraftState } from '../offline/state.ts'

/** Shown when the API refuses to save. The numbers stay on this device until the merchant discards them. */
export function RefusedNotice({ draft, state }: { draft: CountDraft; state: CountDraftState }) {
  const { many } = useFormat()
  const [isConfirming, setConfirming] = useState(false)
  const numbers = many(state.entries.size, 'number')
  return (
    <Notice tone="bad" title="Your numbers are not saved">
      <Text c="#1c2024">
        {messageOf(state.syncError)} Only on this device: {numbers}.
      </Text>
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={() => void draft.syncNow()}>
          Try again
        </Button>
        <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
          Discard
        </Button>
      </Group>
      <Confirm
        isOpen={isConfirming}
        title={`Discard ${numbers}?`}
        confirm="Discard"
        isDestructive
        onConfirm={() => {
          setConfirming(false)
          draft.discard()
        }}
        onCancel={() => setConfirming(false)}
      >
        These products go back to their last saved number. Count them again.
      </Confirm>
    </Notice>
  )
}
