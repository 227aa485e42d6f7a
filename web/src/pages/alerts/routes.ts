import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./alert-list.tsx'), 'AlertList'),
})

export const alertRoutes = [list] as const
