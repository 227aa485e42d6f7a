import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import type { Settings } from '../../../../shared/schemas/settings.ts'
import { reading } from '../../api/queries.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { LoadingPage } from '../feedback/loading-page.tsx'
import { PageBody } from '../layout/page.tsx'

const SettingsContext = createContext<Settings | undefined>(undefined)

export const readSettings = queryOptions({ ...reading('GET /settings', {}), staleTime: 300_000 })

/** Currency and time zone are on every page, so no page is shown before they are known. */
export function SettingsGate({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(readSettings)
  if (data) return <SettingsContext value={data}>{children}</SettingsContext>
  if (!error) return <LoadingPage />
  return (
    <PageBody>
      <ErrorNotice error={error} onRetry={refetch} />
    </PageBody>
  )
}

export function useSettings(): Settings {
  const settings = use(SettingsContext)
  if (!settings) throw new Error('There are no settings outside SettingsGate')
  return settings
}
