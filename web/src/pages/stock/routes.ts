import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'
import { readLevelFilter, readMovementFilter, readPastFilter } from './levels/filter.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/stock',
  validateSearch: readLevelFilter,
  component: lazyPage(() => import('./levels/level-list.tsx'), 'LevelList'),
})

const bins = createRoute({
  getParentRoute: () => root,
  path: '/stock/bins',
  component: lazyPage(() => import('./bins/bin-import.tsx'), 'BinImport'),
})

const labels = createRoute({
  getParentRoute: () => root,
  path: '/stock/labels',
  component: lazyPage(() => import('./labels/label-list.tsx'), 'LabelList'),
})

const stockImport = createRoute({
  getParentRoute: () => root,
  path: '/stock/import',
  component: lazyPage(() => import('./import/stock-import.tsx'), 'StockImport'),
})

const history = createRoute({
  getParentRoute: () => root,
  path: '/stock/history',
  validateSearch: readMovementFilter,
  component: lazyPage(() => import('./movements/movement-list.tsx'), 'MovementList'),
})

const pastAdjustments = createRoute({
  getParentRoute: () => root,
  path: '/stock/past-adjustments',
  validateSearch: readPastFilter,
  component: lazyPage(() => import('./past-adjustments/past-adjustment-list.tsx'), 'PastAdjustmentList'),
})

const onItsWay = createRoute({
  getParentRoute: () => root,
  path: '/stock/on-its-way',
  component: lazyPage(() => import('./pushes/push-list.tsx'), 'PushList'),
})

export const stockRoutes = [list, bins, labels, stockImport, history, pastAdjustments, onItsWay] as const
