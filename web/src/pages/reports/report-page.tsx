import type { ReactNode } from 'react'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import classes from './reports.module.css'

type Props = {
  title: string
  /** How its numbers come about, in a sentence or two. */
  meaning: ReactNode
  actions: ReactNode
  filters?: ReactNode
  /** Whether what is shown is still that of the filter before. */
  isStale: boolean
  children: ReactNode
}

/** The frame of all reports. */
export const ReportPage = ({ title, meaning, actions, filters, isStale, children }: Props) => (
  <PageBody>
    <PageHeader title={title} back={{ to: '/reports', name: 'Reports' }} actions={actions} />
    <div className={classes.meaning}>{meaning}</div>
    {filters && <div className={classes.filters}>{filters}</div>}
    <div className={classes.results} data-old={isStale || undefined} aria-busy={isStale}>
      {children}
    </div>
  </PageBody>
)
