import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createReplenishmentOrders } from '../../shared/domain/replenishment/orders.ts'
import { listReplenishment } from '../../shared/domain/replenishment/replenishment.ts'
import { listRoute, route } from '../http/route.ts'

export const replenishment: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /replenishment', ({ db, shop, query }) => listReplenishment(db, shop.id, query))
  route(app, 'POST /replenishment/orders', ({ db, shop, actor, body }) =>
    createReplenishmentOrders(db, shop.id, actor, body),
  )
}
