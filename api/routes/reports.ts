import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAbcClasses } from '../../shared/domain/reports/abc.ts'
import { getAdjustmentReasons } from '../../shared/domain/reports/adjustment-reasons.ts'
import { listAdjustments } from '../../shared/domain/reports/adjustments.ts'
import { getCommitments } from '../../shared/domain/reports/commitments.ts'
import { listCountAccuracy } from '../../shared/domain/reports/count-accuracy.ts'
import { listDeadStock } from '../../shared/domain/reports/dead-stock.ts'
import { listInventoryValue } from '../../shared/domain/reports/inventory-value.ts'
import { listMargins } from '../../shared/domain/reports/margin.ts'
import { listPriceHistory } from '../../shared/domain/reports/price-history.ts'
import { getProcurementSpend } from '../../shared/domain/reports/procurement-spend.ts'
import { listSalesVelocity } from '../../shared/domain/reports/sales-velocity.ts'
import { listSupplierPerformance } from '../../shared/domain/reports/supplier-performance.ts'
import { listRoute, route } from '../http/route.ts'

export const reports: FastifyPluginAsyncTypebox = async (app) => {
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
  listRoute(app, 'GET /reports/inventory-value', ({ db, shop, query }) =>
    listInventoryValue(db, shop.id, query),
  )
  listRoute(app, 'GET /reports/abc', ({ db, shop, query }) => listAbcClasses(db, shop.id, query))
  listRoute(app, 'GET /reports/dead-stock', ({ db, shop, query }) => listDeadStock(db, shop.id, query))
  listRoute(app, 'GET /reports/margin', ({ db, shop, query }) => listMargins(db, shop.id, query))
  listRoute(app, 'GET /reports/price-history', ({ db, shop, query }) => listPriceHistory(db, shop.id, query))
  route(app, 'GET /reports/commitments', ({ db, shop, query }) => getCommitments(db, shop.id, query))
  listRoute(app, 'GET /reports/supplier-performance', ({ db, shop, query }) =>
    listSupplierPerformance(db, shop.id, query),
  )
}
