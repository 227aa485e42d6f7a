import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'
import { readTransferFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/transfers',
  validateSearch: readTransferFilter,
  component: lazyPage(() => import('./transfer-list.tsx'), 'TransferList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/transfers/new',
  component: lazyPage(() => import('./transfer-create.tsx'), 'TransferCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id',
  params,
  component: lazyPage(() => import('./transfer-detail.tsx'), 'TransferDetail'),
})

const edit = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id/edit',
  params,
  component: lazyPage(() => import('./transfer-edit.tsx'), 'TransferEdit'),
})

export const transferRoutes = [list, create, detail, edit] as const
