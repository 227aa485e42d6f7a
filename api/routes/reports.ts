import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAbcClasses } from '../../shared/domain/reports/abc.ts'
import { listAdjustments } from '../../shared/domain/reports/adjustments.ts'
import { listDeadStock } from '../../shared/domain/reports/dead-stock.ts'
import { listInventoryValue } from '../../shared/domain/reports/inventory-value.ts'
import { getProcurementSpend } from '../../shared/domain/reports/procurement-spend.ts'
import { listSalesVelocity } from '../../shared/domain/reports/sales-velocity.ts'
import { listSupplierPerformance } from '../../shared/domain/reports/supplier-performance.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const reports: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /reports/procurement-spend', async ({ db, shop, query }) =>
    ok(await getProcurementSpend(db, shop.id, query)),
  )

  route(app, 'GET /reports/sales-velocity', async (request, reply) =>
    okPage(request, reply, await listSalesVelocity(request.db, request.shop.id, request.query)),
  )

  route(app, 'GET /reports/adjustments', async (request, reply) =>
    okPage(request, reply, await listAdjustments(request.db, request.shop.id, request.query)),
  )

  route(app, 'GET /reports/inventory-value', async (request, reply) =>
    okPage(request, reply, await listInventoryValue(request.db, request.shop.id, request.query)),
  )

  route(app, 'GET /reports/abc', async (request, reply) =>
    okPage(request, reply, await listAbcClasses(request.db, request.shop.id, request.query)),
  )

  route(app, 'GET /reports/dead-stock', async (request, reply) =>
    okPage(request, reply, await listDeadStock(request.db, request.shop.id, request.query)),
  )

  route(app, 'GET /reports/supplier-performance', async (request, reply) =>
    okPage(request, reply, await listSupplierPerformance(request.db, request.shop.id, request.query)),
  )
}
