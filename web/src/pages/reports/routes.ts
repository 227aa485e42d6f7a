import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  component: lazyPage(() => import('./report-list.tsx'), 'ReportList'),
})

export const reportRoutes = [list] as const
