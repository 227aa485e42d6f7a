import { Button, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { toServerTime } from '../../../api/server-clock.ts'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { unreadItems } from '../offline/state.ts'

const maxWaitMs = 2 * 60_000

/** Numbers that are not compared with the shop's stock yet; after two minutes they can be submitted all the same. */
export function UnreadNotice({ count, onSubmit }: { count: StockCount; onSubmit: () => void }) {
  const { many } = useFormat()
  const unread = unreadItems(count)
  const newest = Math.max(...unread.map(({ countedAt }) => Date.parse(countedAt ?? '')))
  const leftMs = newest + maxWaitMs - Date.parse(toServerTime(Date.now()))
  const [, setNow] = useState(0)
  // React renders nothing when the API answers the same again
  useEffect(() => {
    if (leftMs <= 0) return
    const timer = setTimeout(() => setNow(Date.now()), leftMs)
    return () => clearTimeout(timer)
  }, [leftMs])
  if (leftMs > 0) {
    return (
      <Text role="status" c="dimmed">
        Comparing {many(unread.length, 'number')} with the stock in your shop …
      </Text>
    )
  }
  return (
    <Notice tone="waiting" title="Your shop does not answer">
      <Text c="#1c2024" mb="sm">
        {many(unread.length, 'number')} could not be compared with the stock in your shop for two minutes.
        Wait until it answers, or submit with the last known stock.
      </Text>
      <Button size="xs" variant="default" onClick={onSubmit}>
        Submit without comparing
      </Button>
    </Notice>
  )
}
