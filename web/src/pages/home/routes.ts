import { createRoute } from '@tanstack/react-router'
import { reading } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'
import { readSuggestions } from './late-suggestions.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/',
  // asked for while the page itself is on its way
  loader: () => {
    void queryClient.prefetchQuery(reading('GET /dashboard', {}))
    void queryClient.prefetchQuery(readSuggestions)
  },
  component: lazyPage(() => import('./home.tsx'), 'Home'),
})

export const homeRoutes = [page] as const
