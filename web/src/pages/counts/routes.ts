import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/counts',
  component: lazyPage(() => import('./count-list.tsx'), 'CountList'),
})

export const countRoutes = [list] as const
