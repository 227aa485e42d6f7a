import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'
import { alertColumns } from '../alerts/alert-columns.tsx'
import classes from './home.module.css'
import { newestAlerts } from './newest-alerts.ts'

export function OpenAlerts() {
  const { data, error, isPending, refetch } = useInfiniteQuery(newestAlerts)
  const alerts = data?.pages[0]?.records ?? []
  if (error && !data) return <ErrorNotice error={error} onRetry={refetch} />
  return (
    <Card isFlush title="Open alerts" action={<TextLink to="/alerts">All alerts</TextLink>}>
      {alerts.length === 0 && !isPending ? (
        <Text c="dimmed" className={classes.none}>
          None. Low stock and late orders are told here.
        </Text>
      ) : (
        <RowTable
          label="Open alerts"
          columns={alertColumns.filter(({ name }) => name !== 'About')}
          rows={alerts}
          keyOf={({ id }) => id}
          isPending={isPending}
        />
      )}
    </Card>
  )
}
