import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAbcClasses } from '../../shared/domain/views/reports/abc.ts'
import { getAdjustmentReasons } from '../../shared/domain/views/reports/adjustment-reasons.ts'
import { listAdjustments } from '../../shared/domain/views/reports/adjustments.ts'
import { listArrivals } from '../../shared/domain/views/reports/buying/arrivals.ts'
import { getCommitments } from '../../shared/domain/views/reports/buying/commitments.ts'
import { getOpenToBuy } from '../../shared/domain/views/reports/buying/open-to-buy.ts'
import { listPriceHistory } from '../../shared/domain/views/reports/buying/price-history.ts'
import { getProcurementSpend } from '../../shared/domain/views/reports/buying/procurement-spend.ts'
import { listSupplierPerformance } from '../../shared/domain/views/reports/buying/supplier-performance.ts'
import { listCountAccuracy } from '../../shared/domain/views/reports/count-accuracy.ts'
import { listDeadStock } from '../../shared/domain/views/reports/dead-stock.ts'
import {
  getForecastAccuracyTotal,
  listForecastAccuracy,
} from '../../shared/domain/views/reports/forecast-accuracy.ts'
import { listInventoryValue } from '../../shared/domain/views/reports/inventory-value.ts'
import { listLostSales } from '../../shared/domain/views/reports/lost-sales.ts'
import { listMargins } from '../../shared/domain/views/reports/margin.ts'
import { listOverstock } from '../../shared/domain/views/reports/overstock.ts'
import { listSalesVelocity } from '../../shared/domain/views/reports/sales-velocity.ts'
import { listStockGaps } from '../../shared/domain/views/reports/stock-gaps.ts'
import { serve, serveList } from '../http/route.ts'

/** Reports only read, and may be some seconds behind: from a read replica where there is one. */
export const reports: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('preHandler', async (request) => {
    request.db = app.readDb
  })

  serve(app, 'GET /reports/procurement-spend', getProcurementSpend, 'query')
  serveList(app, 'GET /reports/sales-velocity', listSalesVelocity, 'query')
  serveList(app, 'GET /reports/adjustments', listAdjustments, 'query')
  serve(app, 'GET /reports/adjustment-reasons', getAdjustmentReasons, 'query')
  serveList(app, 'GET /reports/count-accuracy', listCountAccuracy, 'query')
  serveList(app, 'GET /reports/forecast-accuracy', listForecastAccuracy, 'query')
  serve(app, 'GET /reports/forecast-accuracy/total', getForecastAccuracyTotal, 'query')
  serveList(app, 'GET /reports/inventory-value', listInventoryValue, 'query')
  serveList(app, 'GET /reports/abc', listAbcClasses, 'query')
  serveList(app, 'GET /reports/dead-stock', listDeadStock, 'query')
  serveList(app, 'GET /reports/margin', listMargins, 'query')
  serveList(app, 'GET /reports/price-history', listPriceHistory, 'query')
  serve(app, 'GET /reports/commitments', getCommitments, 'query')
  serveList(app, 'GET /reports/stock-gaps', listStockGaps, 'query')
  serveList(app, 'GET /reports/lost-sales', listLostSales, 'query')
  serveList(app, 'GET /reports/overstock', listOverstock, 'query')
  serveList(app, 'GET /reports/arrivals', listArrivals, 'query')
  serve(app, 'GET /reports/open-to-buy', getOpenToBuy, 'query')
  serveList(app, 'GET /reports/supplier-performance', listSupplierPerformance, 'query')
}
