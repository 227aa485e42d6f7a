import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'

const list = createRoute({
  getParentRoute: () => root,
  path: '/demand-events',
  component: lazyPage(() => import('./event-list.tsx'), 'EventList'),
})

export const demandEventRoutes = [list] as const
