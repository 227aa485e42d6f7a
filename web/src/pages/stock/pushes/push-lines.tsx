import { Text } from '@mantine/core'
import type { StockPush } from '../../../../../shared/schemas/stock-pushes.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { VariantLink } from '../../../components/tables/variant-link.tsx'
import classes from '../stock.module.css'

type Props = { push: Pick<StockPush, 'lines' | 'lineCount'>; isReversed?: boolean }

/** The lines of a push; `isReversed` shows each with the opposite sign. */
export function PushLines({ push: { lines, lineCount }, isReversed = false }: Props) {
  const { change, count } = useFormat()
  const others = lineCount - lines.length
  return (
    <ul className={classes.lines}>
      {lines.map(({ variantId, locationId, title, locationName, delta }) => (
        <li key={`${variantId} ${locationId}`}>
          <strong>{change(isReversed ? -delta : delta)}</strong>{' '}
          <VariantLink variantId={variantId}>{title}</VariantLink>{' '}
          <Text span size="sm" c="dimmed">
            at {locationName}
          </Text>
        </li>
      ))}
      {others > 0 && <li>and {count(others)} more</li>}
    </ul>
  )
}
