import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { discardStockPush } from '../../shared/domain/stock-pushes/discard.ts'
import { retryStockPush } from '../../shared/domain/stock-pushes/retry.ts'
import { listStockPushes } from '../../shared/domain/stock-pushes/stock-pushes.ts'
import { listRoute, route } from '../http/route.ts'

export const stockPushes: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /stock-pushes', ({ db, shop, query }) => listStockPushes(db, shop.id, query))
  route(app, 'POST /stock-pushes/:id/retry', ({ db, shop, params }) => retryStockPush(db, shop.id, params.id))
  route(app, 'POST /stock-pushes/:id/discard', ({ db, shop, params }) =>
    discardStockPush(db, shop.id, params.id),
  )
}
