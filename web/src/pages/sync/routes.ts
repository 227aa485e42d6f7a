import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'

const page = createRoute({
  getParentRoute: () => root,
  path: '/sync',
  component: lazyRouteComponent(() => import('./sync-page.tsx'), 'SyncPage'),
})

export const syncRoutes = [page] as const
