import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAbcClasses } from '../../shared/domain/reports/abc.ts'
import { getAdjustmentReasons } from '../../shared/domain/reports/adjustment-reasons.ts'
import { listAdjustments } from '../../shared/domain/reports/adjustments.ts'
import { listArrivals } from '../../shared/domain/reports/arrivals.ts'
import { getCommitments } from '../../shared/domain/reports/commitments.ts'
import { listCountAccuracy } from '../../shared/domain/reports/count-accuracy.ts'
import { listDeadStock } from '../../shared/domain/reports/dead-stock.ts'
import {
  getForecastAccuracyTotal,
  listForecastAccuracy,
} from '../../shared/domain/reports/forecast-accuracy.ts'
import { listInventoryValue } from '../../shared/domain/reports/inventory-value.ts'
import { listLostSales } from '../../shared/domain/reports/lost-sales.ts'
import { listMargins } from '../../shared/domain/reports/margin.ts'
import { getOpenToBuy } from '../../shared/domain/reports/open-to-buy.ts'
import { listOverstock } from '../../shared/domain/reports/overstock.ts'
import { listPriceHistory } from '../../shared/domain/reports/price-history.ts'
import { getProcurementSpend } from '../../shared/domain/reports/procurement-spend.ts'
import { listSalesVelocity } from '../../shared/domain/reports/sales-velocity.ts'
import { listStockGaps } from '../../shared/domain/reports/stock-gaps.ts'
import { listSupplierPerformance } from '../../shared/domain/reports/supplier-performance.ts'
import { listRoute, route } from '../http/route.ts'

/** Reports only read, and may be some seconds behind: from a read replica where there is one. */
export const reports: FastifyPluginAsyncTypebox = async (app) => {
  app.addHook('preHandler', async (request) => {
    request.db = app.readDb
  })

  route(app, 'GET /reports/procurement-spend', ({ db, shop, query }) =>
    getProcurementSpend(db, shop.id, query),
  )
  listRoute(app, 'GET /reports/sales-velocity', ({ db, shop, query }) =>
    listSalesVelocity(db, shop.id, query),
  )
  listRoute(app, 'GET /reports/adjustments', ({ db, shop, query }) => listAdjustments(db, shop.id, query))
  route(app, 'GET /reports/adjustment-reasons', ({ db, shop, query }) =>
    getAdjustmentReasons(db, shop.id, query),
  )
  listRoute(app, 'GET /reports/count-accuracy', ({ db, shop, query }) =>
    listCountAccuracy(db, shop.id, query),
  )
  listRoute(app, 'GET /reports/forecast-accuracy', ({ db, shop, query }) =>
    listForecastAccuracy(db, shop.id, query),
  )
  route(app, 'GET /reports/forecast-accuracy/total', ({ db, shop, query }) =>
    getForecastAccuracyTotal(db, shop.id, query),
  )
  listRoute(app, 'GET /reports/inventory-value', ({ db, shop, query }) =>
    listInventoryValue(db, shop.id, query),
  )
  listRoute(app, 'GET /reports/abc', ({ db, shop, query }) => listAbcClasses(db, shop.id, query))
  listRoute(app, 'GET /reports/dead-stock', ({ db, shop, query }) => listDeadStock(db, shop.id, query))
  listRoute(app, 'GET /reports/margin', ({ db, shop, query }) => listMargins(db, shop.id, query))
  listRoute(app, 'GET /reports/price-history', ({ db, shop, query }) => listPriceHistory(db, shop.id, query))
  route(app, 'GET /reports/commitments', ({ db, shop, query }) => getCommitments(db, shop.id, query))
  listRoute(app, 'GET /reports/stock-gaps', ({ db, shop, query }) => listStockGaps(db, shop.id, query))
  listRoute(app, 'GET /reports/lost-sales', ({ db, shop, query }) => listLostSales(db, shop.id, query))
  listRoute(app, 'GET /reports/overstock', ({ db, shop, query }) => listOverstock(db, shop.id, query))
  listRoute(app, 'GET /reports/arrivals', ({ db, shop, query }) => listArrivals(db, shop.id, query))
  route(app, 'GET /reports/open-to-buy', ({ db, shop, query }) => getOpenToBuy(db, shop.id, query))
  listRoute(app, 'GET /reports/supplier-performance', ({ db, shop, query }) =>
    listSupplierPerformance(db, shop.id, query),
  )
}
