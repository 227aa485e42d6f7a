import { Alert, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { listing } from '../../../api/queries.ts'
import { TextLink } from '../../../components/layout/link-button.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { pollIntervalMs } from './moments.ts'

/**
 * Says when changes of stock have not reached the platform: until somebody decides, it sells what is not there.
 * `isWatched` while something is on its way that may fail.
 */
export function FailedPushes({ isWatched }: { isWatched: boolean }) {
  const { count } = useFormat()
  const { data } = useInfiniteQuery({
    ...listing('GET /stock-pushes', { query: { state: 'failed' } }),
    refetchInterval: isWatched && pollIntervalMs,
  })
  const [first] = data?.pages ?? []
  const number = first?.records.length ?? 0
  if (number === 0) return null
  const many = first?.next ? `More than ${count(number)}` : count(number)
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} role="status">
      <Text c="#1c2024">
        {number === 1
          ? '1 change of stock has not reached your shop, which goes on with its own number.'
          : `${many} changes of stock have not reached your shop, which goes on with its own numbers.`}{' '}
        <TextLink to="/stock/on-its-way">Decide what to do</TextLink>
      </Text>
    </Alert>
  )
}
