import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listStockMovements } from '../../shared/domain/stock/movements.ts'
import { listRoute } from '../http/route.ts'

export const stockMovements: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /stock-movements', ({ db, shop, query }) => listStockMovements(db, shop.id, query))
}
