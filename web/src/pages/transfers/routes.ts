import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { idParams as params, root } from '../../shell/root-route.tsx'
import { readSuggestionFilter, readTransferFilter, readTransferStart } from './list/filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/transfers',
  validateSearch: readTransferFilter,
  component: lazyPage(() => import('./list/transfer-list.tsx'), 'TransferList'),
})

const create = createRoute({
  getParentRoute: () => root,
  path: '/transfers/new',
  validateSearch: readTransferStart,
  component: lazyPage(() => import('./form/transfer-create.tsx'), 'TransferCreate'),
})

const suggestions = createRoute({
  getParentRoute: () => root,
  path: '/transfers/suggestions',
  validateSearch: readSuggestionFilter,
  component: lazyPage(() => import('./suggestions/transfer-suggestions.tsx'), 'TransferSuggestions'),
})

const detail = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id',
  params,
  component: lazyPage(() => import('./detail/transfer-detail.tsx'), 'TransferDetail'),
})

const edit = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id/edit',
  params,
  component: lazyPage(() => import('./form/transfer-edit.tsx'), 'TransferEdit'),
})

const ship = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id/ship',
  params,
  component: lazyPage(() => import('./steps/transfer-ship.tsx'), 'TransferShip'),
})

const shipScan = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id/ship/scan',
  params,
  component: lazyPage(() => import('./scan/scan-transfer.tsx'), 'ScanShipment'),
})

const receive = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id/receive',
  params,
  component: lazyPage(() => import('./steps/transfer-receive.tsx'), 'TransferReceive'),
})

const scan = createRoute({
  getParentRoute: () => root,
  path: '/transfers/$id/scan',
  params,
  component: lazyPage(() => import('./scan/scan-transfer.tsx'), 'ScanTransfer'),
})

export const transferRoutes = [
  list,
  create,
  suggestions,
  detail,
  edit,
  ship,
  shipScan,
  receive,
  scan,
] as const
