import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createStockCount,
  getStockCount,
  listStockCounts,
  updateStockCount,
} from '../../shared/domain/stock-counts/stock-counts.ts'
import { listRoute, route } from '../http/route.ts'

export const stockCounts: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /stock-counts', ({ db, shop, query }) => listStockCounts(db, shop.id, query))
  route(app, 'POST /stock-counts', ({ db, shop, actor, body }) => createStockCount(db, shop.id, actor, body))
  route(app, 'GET /stock-counts/:id', ({ db, shop, params }) => getStockCount(db, shop.id, params.id))
  route(app, 'PUT /stock-counts/:id', ({ db, shop, actor, params, body }) =>
    updateStockCount(db, shop.id, params.id, actor, body),
  )
}
