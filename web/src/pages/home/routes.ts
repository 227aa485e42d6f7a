import { createRoute } from '@tanstack/react-router'
import { reading } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { root } from '../../shell/root-route.tsx'
import { watchedSync } from '../sync/watched-sync.ts'
import { isChecklistOver } from './checklist-memory.ts'
import { Home } from './home.tsx'
import { readSuggestions } from './late-suggestions.ts'
import { newestAlerts } from './newest-alerts.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/',
  // all that the page shows is asked for at once
  loader: () => {
    void queryClient.prefetchQuery(reading('GET /dashboard', {}))
    void queryClient.prefetchQuery(readSuggestions)
    void queryClient.prefetchInfiniteQuery(newestAlerts)
    if (!isChecklistOver()) void queryClient.prefetchQuery(watchedSync)
  },
  // the page that most begin with: loaded on its own it would come a round trip later
  component: Home,
})

export const homeRoutes = [page] as const
