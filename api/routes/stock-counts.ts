import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addProducts } from '../../shared/domain/stock-counts/add-products.ts'
import { approveCount } from '../../shared/domain/stock-counts/approve.ts'
import { cancelCounts } from '../../shared/domain/stock-counts/cancel.ts'
import { finishCounting } from '../../shared/domain/stock-counts/finish.ts'
import { listStockCounts } from '../../shared/domain/stock-counts/list.ts'
import { recountVariances } from '../../shared/domain/stock-counts/recount.ts'
import { createStockCount, getStockCount } from '../../shared/domain/stock-counts/stock-counts.ts'
import { updateStockCount } from '../../shared/domain/stock-counts/update.ts'
import { listRoute, route } from '../http/route.ts'

export const stockCounts: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /stock-counts', ({ db, shop, query }) => listStockCounts(db, shop.id, query))
  route(app, 'POST /stock-counts', ({ db, shop, actor, body }) => createStockCount(db, shop.id, actor, body))
  route(app, 'POST /stock-counts/cancel', ({ db, shop, body }) => cancelCounts(db, shop.id, body))
  route(app, 'GET /stock-counts/:id', ({ db, shop, actor, params }) =>
    getStockCount(db, shop.id, params.id, actor),
  )
  route(app, 'PUT /stock-counts/:id', ({ db, shop, actor, params, body }) =>
    updateStockCount(db, shop.id, params.id, actor, body),
  )
  route(app, 'POST /stock-counts/:id/add-products', ({ db, shop, actor, params, body }) =>
    addProducts(db, shop.id, params.id, actor, body),
  )
  route(app, 'POST /stock-counts/:id/finish', ({ db, shop, actor, params }) =>
    finishCounting(db, shop.id, params.id, actor),
  )
  route(app, 'POST /stock-counts/:id/recount', ({ db, shop, actor, params, body }) =>
    recountVariances(db, shop.id, params.id, actor, body),
  )
  route(app, 'POST /stock-counts/:id/approve', ({ db, shop, actor, params, body }) =>
    approveCount(db, shop.id, params.id, actor, body ?? {}),
  )
}
