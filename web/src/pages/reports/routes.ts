import { createRoute } from '@tanstack/react-router'
import { readDays } from '../../components/pickers/date-range.tsx'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'
import {
  readAbcFilter,
  readAdjustmentFilter,
  readDeadStockFilter,
  readSalesFilter,
  readSpendFilter,
  readValueFilter,
} from './filter.ts'

const overview = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  component: lazyPage(() => import('./overview.tsx'), 'Overview'),
})

const salesVelocity = createRoute({
  getParentRoute: () => root,
  path: '/reports/sales-velocity',
  validateSearch: readSalesFilter,
  component: lazyPage(() => import('./sales-velocity.tsx'), 'SalesVelocityReport'),
})

const abc = createRoute({
  getParentRoute: () => root,
  path: '/reports/abc',
  validateSearch: readAbcFilter,
  component: lazyPage(() => import('./stock/abc.tsx'), 'AbcReport'),
})

const deadStock = createRoute({
  getParentRoute: () => root,
  path: '/reports/dead-stock',
  validateSearch: readDeadStockFilter,
  component: lazyPage(() => import('./stock/dead-stock.tsx'), 'DeadStockReport'),
})

const inventoryValue = createRoute({
  getParentRoute: () => root,
  path: '/reports/inventory-value',
  validateSearch: readValueFilter,
  component: lazyPage(() => import('./stock/inventory-value.tsx'), 'InventoryValueReport'),
})

const procurementSpend = createRoute({
  getParentRoute: () => root,
  path: '/reports/procurement-spend',
  validateSearch: readSpendFilter,
  component: lazyPage(() => import('./buying/procurement-spend.tsx'), 'ProcurementSpendReport'),
})

const supplierPerformance = createRoute({
  getParentRoute: () => root,
  path: '/reports/supplier-performance',
  validateSearch: readDays,
  component: lazyPage(() => import('./buying/supplier-performance.tsx'), 'SupplierPerformanceReport'),
})

const adjustments = createRoute({
  getParentRoute: () => root,
  path: '/reports/adjustments',
  validateSearch: readAdjustmentFilter,
  component: lazyPage(() => import('./stock/adjustments.tsx'), 'AdjustmentReport'),
})

export const reportRoutes = [
  overview,
  salesVelocity,
  abc,
  deadStock,
  inventoryValue,
  procurementSpend,
  supplierPerformance,
  adjustments,
] as const
