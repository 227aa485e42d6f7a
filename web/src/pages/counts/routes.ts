import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { idParams as params, root } from '../../root-route.tsx'
import { readCountFilter, readRowFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/counts',
  validateSearch: readCountFilter,
  component: lazyPage(() => import('./count-list.tsx'), 'CountList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/counts/new',
  component: lazyPage(() => import('./count-create.tsx'), 'CountCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/counts/$id',
  params,
  validateSearch: readRowFilter,
  component: lazyPage(() => import('./count-detail.tsx'), 'CountDetail'),
})

const review = createRoute({
  getParentRoute: () => root,
  path: '/counts/$id/review',
  params,
  component: lazyPage(() => import('./count-review.tsx'), 'CountReview'),
})

export const countRoutes = [list, create, detail, review] as const
