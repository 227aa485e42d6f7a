import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  component: lazyPage(() => import('./alert-list.tsx'), 'AlertList'),
})

export const alertRoutes = [list] as const
