import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { clearStores, type LoadedCount, openLateStores } from '../offline/local-count.ts'

/**
 * Lists the numbers and the scans without an answer that this person had not saved with this device when another user finished or ended the count, or
 * its first count before a recount. They changed no stock.
 */
export function LateEntries({ loaded }: { loaded: LoadedCount }) {
  const { count } = useFormat()
  const [stores] = useState(() => openLateStores(loaded))
  const [late, setLate] = useState(() => stores.flatMap(lateOf))
  if (late.length === 0) return null
  const dismiss = () => {
    clearStores(stores)
    setLate([])
  }
  return (
    <Notice tone="bad" title="Some numbers were not saved in time">
      <Text c="#1c2024" mb="sm">
        {reasonOf(loaded.count)}
        {late.map(({ name, pieces }) => `${name} (${pieces === null ? '—' : count(pieces)})`).join(', ')}.
      </Text>
      <Button size="xs" variant="default" onClick={dismiss}>
        Dismiss
      </Button>
    </Notice>
  )
}

function reasonOf({ status, phase }: LoadedCount['count']): string {
  if (status !== 'draft')
    return 'The count ended before this device saved these numbers, so no stock changed. Start a new count for: '
  return phase === 'counting'
    ? 'This device did not save these numbers before the app was updated. Count these products again: '
    : 'The first count was finished before this device saved these numbers, so they are not included. Count the products of the recount list again. For other products, start a new count: '
}

const lateOf = ({ entries, scans }: ReturnType<typeof openLateStores>[number]) => [
  ...entries.all().map(([, { product, counted }]) => ({ name: product.title, pieces: counted })),
  // the others have shown why they do not count
  ...scans
    .all()
    .flatMap(([code, { fault, times }]) => (fault === null ? [{ name: code, pieces: times }] : [])),
]
