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
import { watchedSync } from './watched-sync.ts'

/** How the shop and Quartermaster are in step. */
export function SyncPage() {
  const query = useQuery(watchedSync)
  return (
    <Loaded query={query}>
      {(sync) => (
        <PageBody>
          <PageHeader title="Sync" actions={<StartSync state={sync.state} />} />
          <Card title="Reading your shop">
            <SyncProgress sync={sync} />
          </Card>
          <News sync={sync} />
          <Deliveries />
        </PageBody>
      )}
    </Loaded>
  )
}

function News({ sync: { lastWebhookAt } }: { sync: Sync }) {
  const { moment } = useFormat()
  return (
    <Card title="News from your shop">
      {lastWebhookAt === null ? (
        <Text c="dimmed">
          None yet. When something is sold or changed in your shop, Quartermaster hears of it within seconds.
        </Text>
      ) : (
        <Text>
          Last heard <Ago instant={lastWebhookAt} />, on {moment(lastWebhookAt)}.
        </Text>
      )}
    </Card>
  )
}
