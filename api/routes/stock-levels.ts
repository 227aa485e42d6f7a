import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { adjustStock } from '../../shared/domain/stock/adjust.ts'
import { setStock } from '../../shared/domain/stock/bulk.ts'
import { listStockLevels } from '../../shared/domain/stock/levels.ts'
import { listRoute, route } from '../http/route.ts'

export const stockLevels: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /stock-levels', ({ db, shop, query }) => listStockLevels(db, shop.id, query))
  route(app, 'PUT /stock-levels/bulk', ({ db, shop, actor, body }) => setStock(db, shop.id, actor, body))
  route(app, 'POST /stock-levels/adjust', ({ db, shop, actor, body }) =>
    adjustStock(db, shop.id, actor, body),
  )
}
