import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import { readQuery } from '../../api/queries.ts'
import type { Page } from '../../api/request.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { LoadingPage } from '../../components/feedback/loading-page.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'
import { isChecklistOver, rememberChecklistIsOver } from './checklist-memory.ts'
import { Figures } from './figures.tsx'
import classes from './home.module.css'
import { suggestionsQuery } from './late-suggestions.ts'
import { OpenAlerts } from './open-alerts.tsx'
import { RecentOrders } from './recent-orders.tsx'

const setupIntervalMs = 5_000
const normalIntervalMs = 60_000

export function Home() {
  const [isOver, setOver] = useState(isChecklistOver)
  const query = useQuery({
    ...readQuery('GET /dashboard', {}),
    refetchInterval: isOver ? normalIntervalMs : setupIntervalMs,
  })
  // the page waits for both: a row that appears later would shift the layout
  const suggestions = useQuery(suggestionsQuery)
  const end = () => {
    rememberChecklistIsOver()
    setOver(true)
  }
  return (
    <Loaded query={query}>
      {(dashboard) =>
        suggestions.isPending ? (
          <LoadingPage />
        ) : (
          <Body
            dashboard={dashboard}
            suggestions={suggestions.data}
            onChecklistEnd={isOver ? undefined : end}
          />
        )
      }
    </Loaded>
  )
}

type Props = {
  dashboard: Dashboard
  suggestions: Page<ReorderSuggestion> | undefined
  /** Hides the first steps; undefined when they are hidden already. */
  onChecklistEnd: (() => void) | undefined
}

function Body({ dashboard, suggestions, onChecklistEnd }: Props) {
  return (
    <PageBody>
      <PageHeader title="Home" />
      {onChecklistEnd && <Checklist setup={dashboard.setup} onEnd={onChecklistEnd} />}
      <Figures stats={dashboard.stats} />
      <Attention attention={dashboard.attention} suggestions={suggestions} />
      <div className={classes.columns}>
        <RecentOrders orders={dashboard.recentPOs} />
        <OpenAlerts />
      </div>
    </PageBody>
  )
}
