import { createRoute } from '@tanstack/react-router'
import { readQuery } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { settingsQuery } from '../../components/shop/settings.tsx'
import { root } from '../../shell/root-route.tsx'
import { syncQuery } from '../sync/watched-sync.ts'
import { Home } from './home.tsx'
import { suggestionsQuery } from './late-suggestions.ts'
import { newestAlertsQuery } from './newest-alerts.ts'

/** The page itself shows that the settings are missing. */
const noSettings = () => {}

const page = createRoute({
  getParentRoute: () => root,
  path: '/',
  // start all requests of the page concurrently
  loader: () => {
    void queryClient.prefetchQuery(readQuery('GET /dashboard', {}))
    void queryClient.prefetchQuery(suggestionsQuery)
    void queryClient.prefetchInfiniteQuery(newestAlertsQuery)
    void queryClient.ensureQueryData(settingsQuery).then(({ isSetupHidden }) => {
      if (!isSetupHidden) void queryClient.prefetchQuery(syncQuery)
    }, noSettings)
  },
  // part of the main bundle: most visits start here, and a lazy page costs a round trip
  component: Home,
})

export const homeRoutes = [page] as const
