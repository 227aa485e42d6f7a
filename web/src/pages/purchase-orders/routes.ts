import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../lazy-page.ts'
import { idParams as params, root } from '../../root-route.tsx'
import { readOrderFilter, readSupplier } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders',
  validateSearch: readOrderFilter,
  component: lazyPage(() => import('./order-list.tsx'), 'OrderList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/new',
  validateSearch: readSupplier,
  component: lazyPage(() => import('./order-create.tsx'), 'OrderCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id',
  params,
  component: lazyPage(() => import('./order-detail.tsx'), 'OrderDetail'),
})

const edit = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/edit',
  params,
  component: lazyPage(() => import('./order-edit.tsx'), 'OrderEdit'),
})

const receive = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/receive',
  params,
  component: lazyPage(() => import('./receive-order.tsx'), 'ReceiveOrder'),
})

export const purchaseOrderRoutes = [list, create, detail, edit, receive] as const
