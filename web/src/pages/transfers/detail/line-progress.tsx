import '@mantine/core/styles/Progress.css'
import { Progress, Text } from '@mantine/core'
import type { StockTransfer } from '../../../../../shared/schemas/stock-transfers.ts'
import { useFormat } from '../../../components/shop/format.ts'
import classes from '../transfers.module.css'

type Line = Pick<
  StockTransfer['items'][number],
  'quantity' | 'shipped' | 'received' | 'lost' | 'damaged' | 'returned' | 'inTransit'
>

/** How far the pieces of a line came, in words, and as a bar that repeats them. */
export function LineProgress({ line }: { line: Line }) {
  const { count } = useFormat()
  const { quantity, received, inTransit, lost, damaged, returned } = line
  const parts = [
    ['received', received, 'teal.8'],
    ['in transit', inTransit, 'yellow.7'],
    ['lost', lost, 'red.8'],
    ['damaged', damaged, 'red.6'],
    ['returned', returned, 'gray.6'],
  ] as const
  const shown = parts.filter(([, pieces]) => pieces > 0)
  const text = shown.map(([name, pieces]) => `${count(pieces)} ${name}`).join(', ') || 'not shipped'
  return (
    <div className={classes.progress}>
      <Progress.Root size="sm">
        {shown.map(([name, pieces, color]) => (
          <Progress.Section key={name} value={(100 * pieces) / quantity} color={color} withAria={false} />
        ))}
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {text}
      </Text>
    </div>
  )
}
