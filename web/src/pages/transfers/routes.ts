import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/transfers',
  component: lazyRouteComponent(() => import('./transfer-list.tsx'), 'TransferList'),
})

export const transferRoutes = [list] as const
