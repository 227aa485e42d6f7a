import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'
import { alertColumns } from '../alerts/alert-columns.tsx'
import classes from './home.module.css'
import { newestAlertsQuery } from './newest-alerts.ts'

export function OpenAlerts() {
  const { data, error, isPending, refetch } = useInfiniteQuery(newestAlertsQuery)
  const alerts = data?.pages[0]?.records ?? []
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  return (
    <Card isFlush title="Open alerts" action={<TextLink to="/alerts">All alerts</TextLink>}>
      {alerts.length === 0 && !isPending ? (
        <Text c="dimmed" className={classes.none}>
          No alerts. You’ll see low stock and late orders here.
        </Text>
      ) : (
        <RowTable
          label="Open alerts"
          columns={alertColumns.filter(({ name }) => name !== 'Type')}
          rows={alerts}
          keyOf={({ id }) => id}
          isPending={isPending}
        />
      )}
    </Card>
  )
}
