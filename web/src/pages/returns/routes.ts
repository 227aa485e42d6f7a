import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'
import { readOrigin, readReturnFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/returns',
  validateSearch: readReturnFilter,
  component: lazyPage(() => import('./return-list.tsx'), 'ReturnList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/returns/new',
  validateSearch: readOrigin,
  component: lazyPage(() => import('./return-create.tsx'), 'ReturnCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/returns/$id',
  params,
  component: lazyPage(() => import('./return-detail.tsx'), 'ReturnDetail'),
})

const edit = createRoute({
  getParentRoute: () => root,
  path: '/returns/$id/edit',
  params,
  component: lazyPage(() => import('./return-edit.tsx'), 'ReturnEdit'),
})

export const returnRoutes = [list, create, detail, edit] as const
