import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import type { ReorderSuggestion } from '../../../../shared/schemas/reorder-suggestions.ts'
import { reading } from '../../api/queries.ts'
import type { Page } from '../../api/request.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { LoadingPage } from '../../components/feedback/loading-page.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'
import { isChecklistOver, rememberChecklistIsOver } from './checklist-memory.ts'
import { Figures } from './figures.tsx'
import classes from './home.module.css'
import { readSuggestions } from './late-suggestions.ts'
import { OpenAlerts } from './open-alerts.tsx'
import { RecentOrders } from './recent-orders.tsx'

const whileSettingUpMs = 5_000
const otherwiseMs = 60_000

/** What a merchant sees first. */
export function Home() {
  const [isOver, setOver] = useState(isChecklistOver)
  const query = useQuery({
    ...reading('GET /dashboard', {}),
    refetchInterval: isOver ? otherwiseMs : whileSettingUpMs,
  })
  // together with the figures: a row that came later would move what stands below it
  const suggestions = useQuery(readSuggestions)
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
          <Body dashboard={dashboard} suggestions={suggestions.data} checklist={isOver ? undefined : end} />
        )
      }
    </Loaded>
  )
}

type Props = {
  dashboard: Dashboard
  suggestions: Page<ReorderSuggestion> | undefined
  /** Ends the list of first steps, while there is one. */
  checklist: (() => void) | undefined
}

function Body({ dashboard, suggestions, checklist }: Props) {
  return (
    <PageBody>
      <PageHeader title="Home" />
      {checklist && <Checklist setup={dashboard.setup} onEnd={checklist} />}
      <Figures stats={dashboard.stats} />
      <Attention attention={dashboard.attention} suggestions={suggestions} />
      <div className={classes.columns}>
        <RecentOrders orders={dashboard.recentPOs} />
        <OpenAlerts />
      </div>
    </PageBody>
  )
}
