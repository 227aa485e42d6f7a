import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { Confirm } from '../feedback/confirm.tsx'
import { Notice } from '../feedback/notice.tsx'

type Props = {
  error: unknown
  /** What is kept on this device, as in "3 numbers". */
  kept: string
  onRetry: () => void
  onDiscard: () => void
  /** What is wrong with each line, below the message. */
  details?: ReactNode
  /** What a discard means, and what to do after it. */
  children: string
}

/** Shown when the API refuses to save. The entries stay on this device until the merchant discards them. */
export function RefusedNotice({ error, kept, onRetry, onDiscard, details, children }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <Notice tone="bad" title="Your numbers are not saved">
      <Text c="#1c2024">
        {messageOf(error)} Only on this device: {kept}.
      </Text>
      {details}
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={onRetry}>
          Try again
        </Button>
        <Button size="xs" variant="default" onClick={() => setConfirming(true)}>
          Discard
        </Button>
      </Group>
      <Confirm
        isOpen={isConfirming}
        title={`Discard ${kept}?`}
        confirm="Discard"
        isDestructive
        onConfirm={() => {
          setConfirming(false)
          onDiscard()
        }}
        onCancel={() => setConfirming(false)}
      >
        {children}
      </Confirm>
    </Notice>
  )
}
