import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/counts',
  component: lazyRouteComponent(() => import('./count-list.tsx'), 'CountList'),
})

export const countRoutes = [list] as const
