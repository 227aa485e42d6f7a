import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  component: lazyRouteComponent(() => import('./report-list.tsx'), 'ReportList'),
})

export const reportRoutes = [list] as const
