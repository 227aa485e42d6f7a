import { createRoute } from '@tanstack/react-router'
import { readScanStep } from '../../components/scan/scan-step.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'
import { readOrderFilter, readOrderStart } from './list/filter.ts'
import { readDraft } from './receive/filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders',
  validateSearch: readOrderFilter,
  component: lazyPage(() => import('./list/order-list.tsx'), 'OrderList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/new',
  validateSearch: readOrderStart,
  component: lazyPage(() => import('./form/order-create.tsx'), 'OrderCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id',
  params,
  component: lazyPage(() => import('./detail/order-detail.tsx'), 'OrderDetail'),
})

const edit = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/edit',
  params,
  component: lazyPage(() => import('./form/order-edit.tsx'), 'OrderEdit'),
})

const receive = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/receive',
  params,
  validateSearch: readDraft,
  component: lazyPage(() => import('./receive/receive-order.tsx'), 'ReceiveOrder'),
})

const scan = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/scan',
  params,
  validateSearch: readScanStep,
  component: lazyPage(() => import('./scan/scan-order.tsx'), 'ScanOrder'),
})

const revise = createRoute({
  getParentRoute: () => root,
  path: '/purchase-orders/$id/revise',
  params,
  component: lazyPage(() => import('./revise/order-revise.tsx'), 'OrderRevise'),
})

export const purchaseOrderRoutes = [list, create, detail, edit, receive, scan, revise] as const
