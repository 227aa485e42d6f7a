import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/stock',
  component: lazyRouteComponent(() => import('./level-list.tsx'), 'LevelList'),
})

export const stockRoutes = [list] as const
