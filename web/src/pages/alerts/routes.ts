import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'
import { readAlertFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  validateSearch: readAlertFilter,
  component: lazyPage(() => import('./alert-list.tsx'), 'AlertList'),
})

export const alertRoutes = [list] as const
