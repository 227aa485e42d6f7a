import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readDays } from '../../components/date-range.tsx'
import { root } from '../../root-route.tsx'
import { readAbcFilter, readDeadStockFilter, readSalesFilter, readSpendFilter } from './filter.ts'

const overview = createRoute({
  getParentRoute: () => root,
  path: '/reports',
  component: lazyRouteComponent(() => import('./overview.tsx'), 'Overview'),
})

const salesVelocity = createRoute({
  getParentRoute: () => root,
  path: '/reports/sales-velocity',
  validateSearch: readSalesFilter,
  component: lazyRouteComponent(() => import('./sales-velocity.tsx'), 'SalesVelocityReport'),
})

const abc = createRoute({
  getParentRoute: () => root,
  path: '/reports/abc',
  validateSearch: readAbcFilter,
  component: lazyRouteComponent(() => import('./abc.tsx'), 'AbcReport'),
})

const deadStock = createRoute({
  getParentRoute: () => root,
  path: '/reports/dead-stock',
  validateSearch: readDeadStockFilter,
  component: lazyRouteComponent(() => import('./dead-stock.tsx'), 'DeadStockReport'),
})

const inventoryValue = createRoute({
  getParentRoute: () => root,
  path: '/reports/inventory-value',
  validateSearch: readDays,
  component: lazyRouteComponent(() => import('./inventory-value.tsx'), 'InventoryValueReport'),
})

const procurementSpend = createRoute({
  getParentRoute: () => root,
  path: '/reports/procurement-spend',
  validateSearch: readSpendFilter,
  component: lazyRouteComponent(() => import('./procurement-spend.tsx'), 'ProcurementSpendReport'),
})

const supplierPerformance = createRoute({
  getParentRoute: () => root,
  path: '/reports/supplier-performance',
  validateSearch: readDays,
  component: lazyRouteComponent(() => import('./supplier-performance.tsx'), 'SupplierPerformanceReport'),
})

const adjustments = createRoute({
  getParentRoute: () => root,
  path: '/reports/adjustments',
  validateSearch: readDays,
  component: lazyRouteComponent(() => import('./adjustments.tsx'), 'AdjustmentReport'),
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
