import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'
import { readCountFilter, readRowFilter } from './list/filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/counts',
  validateSearch: readCountFilter,
  component: lazyPage(() => import('./list/count-list.tsx'), 'CountList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/counts/new',
  component: lazyPage(() => import('./list/count-create.tsx'), 'CountCreate'),
})

const plans = createRoute({
  getParentRoute: () => root,
  path: '/counts/plans',
  component: lazyPage(() => import('./plans/plan-list.tsx'), 'PlanList'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/counts/$id',
  params,
  validateSearch: readRowFilter,
  component: lazyPage(() => import('./list/count-detail.tsx'), 'CountDetail'),
})

const review = createRoute({
  getParentRoute: () => root,
  path: '/counts/$id/review',
  params,
  component: lazyPage(() => import('./result/count-review.tsx'), 'CountReview'),
})

export const countRoutes = [list, create, plans, detail, review] as const
