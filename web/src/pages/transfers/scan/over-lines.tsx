import { Button, List } from '@mantine/core'
import { extraOf, type GoodsRow } from '../../../components/scan/goods/state.ts'
import { useFormat } from '../../../components/shop/format.ts'

type Props = {
  rows: readonly GoodsRow[]
  /** Of the pieces that are left: "in transit". */
  left: string
  onLower: (row: GoodsRow) => void
}

/** The lines with more scans than pieces are left, each with the way to correct it. */
export function OverLines({ rows, left, onLower }: Props) {
  const { count } = useFormat()
  const over = rows.filter((row) => extraOf(row) > 0)
  if (over.length === 0) return null
  return (
    <List size="sm" listStyleType="none" my="xs" c="#1c2024" aria-label="More than is left">
      {over.map((row) => (
        <List.Item key={row.lineId} mt={4}>
          {row.title}: {count(row.accepted + row.rejected)} scanned, {count(row.outstanding)} {left}{' '}
          <Button
            size="xs"
            variant="default"
            ml="xs"
            aria-label={`${lowerName(row, count)} ${row.title}`}
            onClick={() => onLower(row)}
          >
            {lowerName(row, count)}
          </Button>
        </List.Item>
      ))}
    </List>
  )
}

const lowerName = ({ outstanding }: GoodsRow, count: (pieces: number) => string) =>
  outstanding === 0 ? 'Remove' : `Lower to ${count(outstanding)}`
