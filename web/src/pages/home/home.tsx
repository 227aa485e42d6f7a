import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Dashboard } from '../../../../shared/schemas/dashboard.ts'
import { reading } from '../../api/queries.ts'
import { Loaded } from '../../components/loaded.tsx'
import { PageBody, PageHeader } from '../../components/page.tsx'
import { Attention } from './attention.tsx'
import { Checklist } from './checklist.tsx'
import { isChecklistOver, rememberChecklistIsOver } from './checklist-memory.ts'
import { Figures } from './figures.tsx'
import classes from './home.module.css'
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
  const end = () => {
    rememberChecklistIsOver()
    setOver(true)
  }
  return (
    <Loaded query={query}>
      {(dashboard) => <Body dashboard={dashboard} checklist={isOver ? undefined : end} />}
    </Loaded>
  )
}

/** `checklist` ends the list of first steps, while there is one. */
function Body({ dashboard, checklist }: { dashboard: Dashboard; checklist: (() => void) | undefined }) {
  return (
    <PageBody>
      <PageHeader title="Home" />
      {checklist && <Checklist setup={dashboard.setup} onEnd={checklist} />}
      <Figures stats={dashboard.stats} />
      <Attention attention={dashboard.attention} />
      <div className={classes.columns}>
        <RecentOrders orders={dashboard.recentPOs} />
        <OpenAlerts />
      </div>
    </PageBody>
  )
}
