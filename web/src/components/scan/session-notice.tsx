import { Button, Text } from '@mantine/core'
import { Notice } from '../feedback/notice.tsx'

/** Shown while the API does not accept the session. Scanning goes on: the queue tries again every few seconds. */
export const SessionNotice = ({ onRetry }: { onRetry: () => void }) => (
  <Notice tone="waiting" title="Your session has expired">
    <Text c="#1c2024">
      Your scans stay on this device, and you can continue scanning. If this message does not disappear, sign
      in to your shop admin again and open this page: your scans are sent then.
    </Text>
    <Button size="xs" mt="sm" onClick={onRetry}>
      Try again
    </Button>
  </Notice>
)
