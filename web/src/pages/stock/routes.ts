import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/stock',
  component: lazyPage(() => import('./level-list.tsx'), 'LevelList'),
})

export const stockRoutes = [list] as const
