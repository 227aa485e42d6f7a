import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'
import { readPlanFilter } from './plan-filter.ts'

const replenishment = createRoute({
  getParentRoute: () => root,
  path: '/replenishment',
  validateSearch: readPlanFilter,
  component: lazyPage(() => import('./replenishment.tsx'), 'Replenishment'),
})

export const replenishmentRoutes = [replenishment] as const
