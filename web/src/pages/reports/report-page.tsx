import type { ReactNode } from 'react'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import classes from './reports.module.css'

type Props = {
  title: string
  /** Explains how the numbers are calculated. */
  meaning: ReactNode
  actions: ReactNode
  filters?: ReactNode
  /** Whether the content still belongs to the previous filter. */
  isStale: boolean
  children: ReactNode
}

export const ReportPage = ({ title, meaning, actions, filters, isStale, children }: Props) => (
  <PageBody>
    <PageHeader title={title} back={{ to: '/reports', name: 'Reports' }} actions={actions} />
    <div className={classes.meaning}>{meaning}</div>
    {filters && <div className={classes.filters}>{filters}</div>}
    <div className={classes.results} data-stale={isStale || undefined} aria-busy={isStale}>
      {children}
    </div>
  </PageBody>
)
