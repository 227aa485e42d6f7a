import { queryOptions, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use } from 'react'
import type { Settings } from '../../../../shared/schemas/settings.ts'
import { readQuery } from '../../api/queries.ts'
import { ErrorNotice } from '../feedback/error-notice.tsx'
import { LoadingPage } from '../feedback/loading-page.tsx'
import { PageBody } from '../layout/page.tsx'

const SettingsContext = createContext<Settings | undefined>(undefined)

export const settingsQuery = queryOptions({ ...readQuery('GET /settings', {}), staleTime: 300_000 })

/** Renders the pages when the settings are loaded: every page needs the currency and the time zone. */
export function SettingsProvider({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useQuery(settingsQuery)
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
  if (!settings) throw new Error('useSettings needs a SettingsProvider')
  return settings
}
