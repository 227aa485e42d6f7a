import { Text } from '@mantine/core'
import { useFormat } from '../../components/format.ts'

/** More or fewer than there should be, with its sign. */
export function Difference({ value }: { value: number | null }) {
  const { count } = useFormat()
  if (value === null) return '—'
  if (value === 0) return count(0)
  const isShort = value < 0
  return (
    <Text span inherit fw={600} c={isShort ? 'var(--mantine-color-error)' : undefined}>
      {isShort ? '−' : '+'}
      {count(Math.abs(value))}
    </Text>
  )
}
