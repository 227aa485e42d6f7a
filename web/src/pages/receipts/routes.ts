import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'
import { readReceiptFilter } from './filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/receipts',
  validateSearch: readReceiptFilter,
  component: lazyPage(() => import('./receipt-list.tsx'), 'ReceiptList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/receipts/new',
  component: lazyPage(() => import('./receipt-create.tsx'), 'ReceiptCreate'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/receipts/$id',
  params,
  component: lazyPage(() => import('./receipt-detail.tsx'), 'ReceiptDetailPage'),
})

export const receiptRoutes = [list, create, detail] as const
