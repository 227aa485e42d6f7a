import { createRoute } from '@tanstack/react-router'
import { readDays } from '../../components/pickers/days.ts'
import { readProductSearch } from '../../components/pickers/product-filter.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { root } from '../../shell/root-route.tsx'
import {
  readAbcFilter,
  readAdjustmentFilter,
  readCalendar,
  readCommitmentFilter,
  readDeadStockFilter,
  readLostSaleFilter,
  readMarginFilter,
  readOverstockFilter,
  readPriceFilter,
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

const forecastAccuracy = createRoute({
  getParentRoute: () => root,
  path: '/reports/forecast-accuracy',
  validateSearch: readProductSearch,
  component: lazyPage(() => import('./stock/forecast-accuracy.tsx'), 'ForecastAccuracyReport'),
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

const margin = createRoute({
  getParentRoute: () => root,
  path: '/reports/margin',
  validateSearch: readMarginFilter,
  component: lazyPage(() => import('./buying/margin.tsx'), 'MarginReport'),
})

const priceHistory = createRoute({
  getParentRoute: () => root,
  path: '/reports/price-history',
  validateSearch: readPriceFilter,
  component: lazyPage(() => import('./buying/price-history.tsx'), 'PriceHistoryReport'),
})

const commitments = createRoute({
  getParentRoute: () => root,
  path: '/reports/commitments',
  validateSearch: readCommitmentFilter,
  component: lazyPage(() => import('./buying/commitments.tsx'), 'CommitmentsReport'),
})

const adjustments = createRoute({
  getParentRoute: () => root,
  path: '/reports/adjustments',
  validateSearch: readAdjustmentFilter,
  component: lazyPage(() => import('./stock/adjustments.tsx'), 'AdjustmentReport'),
})

const adjustmentReasons = createRoute({
  getParentRoute: () => root,
  path: '/reports/adjustment-reasons',
  validateSearch: readDays,
  component: lazyPage(() => import('./stock/adjustment-reasons.tsx'), 'AdjustmentReasonReport'),
})

const countAccuracy = createRoute({
  getParentRoute: () => root,
  path: '/reports/count-accuracy',
  validateSearch: readDays,
  component: lazyPage(() => import('./stock/count-accuracy.tsx'), 'CountAccuracyReport'),
})

const stockGaps = createRoute({
  getParentRoute: () => root,
  path: '/reports/stock-gaps',
  validateSearch: readProductSearch,
  component: lazyPage(() => import('./planning/stock-gaps.tsx'), 'StockGapReport'),
})

const lostSales = createRoute({
  getParentRoute: () => root,
  path: '/reports/lost-sales',
  validateSearch: readLostSaleFilter,
  component: lazyPage(() => import('./planning/lost-sales.tsx'), 'LostSaleReport'),
})

const overstock = createRoute({
  getParentRoute: () => root,
  path: '/reports/overstock',
  validateSearch: readOverstockFilter,
  component: lazyPage(() => import('./planning/overstock.tsx'), 'OverstockReport'),
})

const arrivals = createRoute({
  getParentRoute: () => root,
  path: '/reports/arrivals',
  validateSearch: readCalendar,
  component: lazyPage(() => import('./planning/arrivals.tsx'), 'ArrivalReport'),
})

const openToBuy = createRoute({
  getParentRoute: () => root,
  path: '/reports/open-to-buy',
  component: lazyPage(() => import('./planning/open-to-buy.tsx'), 'OpenToBuyReport'),
})

export const reportRoutes = [
  overview,
  stockGaps,
  lostSales,
  overstock,
  arrivals,
  openToBuy,
  salesVelocity,
  abc,
  deadStock,
  inventoryValue,
  margin,
  priceHistory,
  commitments,
  procurementSpend,
  supplierPerformance,
  adjustments,
  adjustmentReasons,
  countAccuracy,
  forecastAccuracy,
] as const
