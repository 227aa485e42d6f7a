import { Button, Skeleton } from '@mantine/core'
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import type { Settings } from '../../../../shared/schemas/settings.ts'
import { optimisticUpdate, readQuery, useChange } from '../../api/queries.ts'
import type { Page } from '../../api/request.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { LoadingPage } from '../../components/feedback/loading-page.tsx'
import { notifyRefused } from '../../components/feedback/notify.ts'
import { Card } from '../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { settingsQuery, useSettings } from '../../components/shop/settings.tsx'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Attention } from './attention.tsx'
import { Figures } from './figures.tsx'
import classes from './home.module.css'
import { suggestionsQuery } from './late-suggestions.ts'
import { OpenAlerts } from './open-alerts.tsx'
import { RecentOrders } from './recent-orders.tsx'

const setupIntervalMs = 5_000
const normalIntervalMs = 60_000

export function Home() {
  const { isSetupHidden } = useSettings()
  const client = useQueryClient()
  const settings = useChange('PUT /settings', {
    optimistic: ({ body }) => optimisticUpdate(settingsQuery, (now) => ({ ...now, ...body }) as Settings),
    onDone: (saved) => client.setQueryData(settingsQuery.queryKey, saved),
    onRefused: notifyRefused,
  })
  const query = useQuery({
    ...readQuery('GET /dashboard', {}),
    refetchInterval: isSetupHidden ? normalIntervalMs : setupIntervalMs,
  })
  // the page waits for the first answer of both: a row that appears later would shift the layout
  const suggestions = useQuery(suggestionsQuery)
  // stored on the server: one setting for all users of the shop, and a new installation resets it
  const hideSetup = (isHidden: boolean) => settings.mutate({ body: { isSetupHidden: isHidden } })
  return (
    <Loaded query={query}>
      {(dashboard) =>
        suggestions.isFetched ? (
          <Body
            dashboard={dashboard}
            suggestions={suggestions}
            isSetupHidden={isSetupHidden}
            onHideSetup={hideSetup}
          />
        ) : (
          <LoadingPage />
        )
      }
    </Loaded>
  )
}

type Props = {
  dashboard: Dashboard
  suggestions: UseQueryResult<Page<ReorderSuggestion>>
  isSetupHidden: boolean
  onHideSetup: (isHidden: boolean) => void
}

/** Most shops have hidden or done the first steps, so their code is not part of the first load. */
const Checklist = lazyPage(() => import('./checklist.tsx'), 'Checklist')

const ChecklistSkeleton = () => (
  <Card title="First steps">
    <Skeleton height={194} />
  </Card>
)

function Body({ dashboard, suggestions, isSetupHidden, onHideSetup }: Props) {
  const { companyName, address } = useSettings()
  const { hasSupplier, hasSentOrder, hasReorderRule } = dashboard.setup
  const isSetUp = hasSupplier && hasSentOrder && hasReorderRule && companyName !== '' && address !== ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the last step is done
  useEffect(() => {
    if (isSetUp && !isSetupHidden) onHideSetup(true)
  }, [isSetUp])
  return (
    <PageBody>
      <PageHeader
        title="Home"
        actions={
          isSetupHidden &&
          !isSetUp && (
            <Button variant="default" onClick={() => onHideSetup(false)}>
              Show first steps
            </Button>
          )
        }
      />
      {!isSetupHidden && !isSetUp && (
        <Suspense fallback={<ChecklistSkeleton />}>
          <Checklist setup={dashboard.setup} onHide={() => onHideSetup(true)} />
        </Suspense>
      )}
      <Figures stats={dashboard.stats} />
      <Attention attention={dashboard.attention} suggestions={suggestions} />
      <div className={classes.columns}>
        <RecentOrders orders={dashboard.recentPOs} />
        <OpenAlerts />
      </div>
    </PageBody>
  )
}
