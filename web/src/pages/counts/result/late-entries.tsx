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
  const isRecount = loaded.count.phase === 'recounting'
  return (
    <Notice tone="bad" title="Some numbers were not saved in time">
      <Text c="#1c2024" mb="sm">
        {isRecount
          ? 'The first count ended before this device saved them, so they are in no sum. Do not add them to the recount: count the products of its list again, and start a new count for the others: '
          : 'The count ended before this device saved them, so no stock changed. Start a new count for: '}
        {late.map(({ name, pieces }) => `${name} (${pieces === null ? '—' : count(pieces)})`).join(', ')}.
      </Text>
      <Button size="xs" variant="default" onClick={dismiss}>
        Dismiss
      </Button>
    </Notice>
  )
}

const lateOf = ({ entries, scans }: ReturnType<typeof openLateStores>[number]) => [
  ...entries.all().map(([, { product, counted }]) => ({ name: product.title, pieces: counted })),
  // the others have shown why they do not count
  ...scans
    .all()
    .flatMap(([code, { fault, times }]) => (fault === null ? [{ name: code, pieces: times }] : [])),
]
