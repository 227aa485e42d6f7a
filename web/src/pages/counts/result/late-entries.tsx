import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Notice } from '../../../components/feedback/notice.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import { clearLocalCount, openCountStores } from '../offline/local-count.ts'

/** Lists the numbers that this device had not saved when another user finished or ended the count. They changed no stock. */
export function LateEntries({ id }: { id: number }) {
  const { count } = useFormat()
  const [entries, setEntries] = useState(() => openCountStores(id).entries.all())
  if (entries.length === 0) return null
  const dismiss = () => {
    clearLocalCount(id)
    setEntries([])
  }
  return (
    <Notice tone="bad" title="Some numbers were not saved in time">
      <Text c="#1c2024" mb="sm">
        The count ended before this device saved them, so no stock changed. Start a new count for:{' '}
        {entries
          .map(([, { product, counted }]) => `${product.title} (${counted === null ? '—' : count(counted)})`)
          .join(', ')}
        .
      </Text>
      <Button size="xs" variant="default" onClick={dismiss}>
        Dismiss
      </Button>
    </Notice>
  )
}
