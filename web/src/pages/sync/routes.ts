import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'
import { readSyncSearch } from './filter.ts'

const page = createRoute({
  getParentRoute: () => root,
  path: '/sync',
  validateSearch: readSyncSearch,
  component: lazyPage(() => import('./sync-page.tsx'), 'SyncPage'),
})

export const syncRoutes = [page] as const
