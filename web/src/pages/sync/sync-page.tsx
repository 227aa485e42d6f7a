import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Sync } from '../../../../shared/schemas/sync.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Ago } from '../../components/layout/ago.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { Deliveries } from './deliveries.tsx'
import { StartSync } from './start-sync.tsx'
import { SyncProgress } from './sync-progress.tsx'
import { SyncedSales } from './synced-sales.tsx'
import { syncQuery } from './watched-sync.ts'

export function SyncPage() {
  const query = useQuery(syncQuery)
  return (
    <Loaded query={query}>
      {(sync) => (
        <PageBody>
          <PageHeader
            title="Sync"
            back={{ to: '/settings', name: 'Settings' }}
            actions={<StartSync state={sync.state} />}
          />
          <Card title="Import">
            <SyncProgress sync={sync} />
          </Card>
          <SyncedSales sync={sync} />
          <LastUpdate sync={sync} />
          <Deliveries />
        </PageBody>
      )}
    </Loaded>
  )
}

function LastUpdate({ sync: { lastWebhookAt } }: { sync: Sync }) {
  const { dateTime } = useFormat()
  return (
    <Card title="Updates from your shop">
      {lastWebhookAt === null ? (
        <Text c="dimmed">None yet. Sales and changes in your shop arrive here within seconds.</Text>
      ) : (
        <Text>
          Last received <Ago instant={lastWebhookAt} />, on {dateTime(lastWebhookAt)}.
        </Text>
      )}
    </Card>
  )
}
