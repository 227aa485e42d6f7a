import { Text } from '@mantine/core'
import { useFormat } from '../../../components/shop/format.ts'

export function Difference({ value }: { value: number | null }) {
  const { count, change } = useFormat()
  if (value === null) return '—'
  if (value === 0) return count(0)
  return (
    <Text span inherit fw={600} c={value < 0 ? 'var(--mantine-color-error)' : undefined}>
      {change(value)}
    </Text>
  )
}
