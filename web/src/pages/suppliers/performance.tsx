import { Skeleton, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { SupplierPerformance } from '../../../../shared/schemas/reports.ts'
import { listQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { performanceFigures } from '../reports/buying/performance-figures.ts'
import classes from './performance.module.css'

/** The performance of a supplier over all orders sent to it. */
export function Performance({ supplierId }: { supplierId: number }) {
  const { data, error, refetch } = useInfiniteQuery(
    listQuery('GET /reports/supplier-performance', { query: { supplierId } }),
  )
  const performance = data?.pages[0]?.records[0]
  return (
    <Card
      title="Performance"
      action={
        <TextLink to="/reports/supplier-performance" size="sm">
          All suppliers
        </TextLink>
      }
    >
      {error && !data && <ErrorNotice error={error} onRetry={refetch} />}
      {!error && !data && <Skeleton height={96} />}
      {data && !performance && (
        <Text c="dimmed">
          No orders sent to this supplier yet. After the first order, you’ll see here how fast and complete
          its deliveries are and how its prices change.
        </Text>
      )}
      {performance && <Figures performance={performance} />}
    </Card>
  )
}

function Figures({ performance }: { performance: SupplierPerformance }) {
  const format = useFormat()
  const { ordersSent, ordersReceived } = performance
  return (
    <dl className={classes.figures}>
      <div>
        <dt>Orders</dt>
        <dd className={classes.value}>{format.count(ordersSent)}</dd>
        <dd>Sent so far; {format.count(ordersReceived)} fully received.</dd>
      </div>
      {performanceFigures(format).map(({ name, meaning, unknown, formatValue }) => {
        const value = formatValue(performance)
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={classes.value}>{value ?? '—'}</dd>
            <dd>{value === null ? unknown : meaning}</dd>
          </div>
        )
      })}
    </dl>
  )
}
