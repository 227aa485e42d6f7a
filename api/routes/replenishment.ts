import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createReplenishmentOrders } from '../../shared/domain/planning/replenishment/orders.ts'
import { listReplenishment } from '../../shared/domain/planning/replenishment/replenishment.ts'
import { serve, serveList } from '../http/route.ts'

export const replenishment: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /replenishment', listReplenishment, 'query')
  serve(app, 'POST /replenishment/orders', createReplenishmentOrders, 'actor', 'body')
}
