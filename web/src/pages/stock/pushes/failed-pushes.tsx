import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { listQuery } from '../../../api/queries.ts'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { pollIntervalMs } from './poll-interval.ts'

/**
 * Warns about failed pushes: until the merchant retries or discards them, the platform sells by its old numbers.
 * Polls while `isPolling`, that is while unfinished pushes may still fail.
 */
export function FailedPushes({ isPolling }: { isPolling: boolean }) {
  const { count } = useFormat()
  const { data } = useInfiniteQuery({
    ...listQuery('GET /stock-pushes', { query: { state: 'failed' } }),
    refetchInterval: isPolling && pollIntervalMs,
  })
  const [first] = data?.pages ?? []
  const number = first?.records.length ?? 0
  if (number === 0) return null
  const many = first?.next ? `More than ${count(number)}` : count(number)
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} role="status">
      <Text c="#1c2024">
        {number === 1
          ? '1 stock change didn’t sync. Your shop still has its old number.'
          : `${many} stock changes didn’t sync. Your shop still has its old numbers.`}{' '}
        <TextLink to="/stock/on-its-way">Retry or discard</TextLink>
      </Text>
    </Alert>
  )
}
