import { Text } from '@mantine/core'
import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Notice } from '../components/feedback/notice.tsx'
import { PageBody } from '../components/layout/page.tsx'

const slowMs = 8_000

/** Says that the server is slow when a page has waited for its first data for eight seconds. */
export function SlowNotice() {
  const isWaiting = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isWaiting) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [isWaiting])
  if (!isSlow) return null
  return (
    <PageBody>
      <Notice tone="waiting">
        <Text c="#1c2024">
          Quartermaster is responding slowly. This page keeps waiting; you do not need to reload it.
        </Text>
      </Notice>
    </PageBody>
  )
}
