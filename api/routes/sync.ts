import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSync, startSync } from '../../shared/domain/exchange/sync/sync.ts'
import {
  listShopDeliveries,
  replayDelivery,
  replayFailedDeliveries,
} from '../../shared/domain/exchange/webhooks/shop-deliveries.ts'
import { route, serve, serveList } from '../http/route.ts'

export const sync: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'GET /sync', getSync)
  route(app, 'POST /sync', async ({ db, shop }, reply) => {
    const started = await startSync(db, shop.id, 'merchant')
    reply.code(started.isNew ? 201 : 200)
    return started.sync
  })
  serveList(app, 'GET /sync/deliveries', listShopDeliveries, 'query')
  serve(app, 'POST /sync/deliveries/:id/replay', replayDelivery, 'id')
  serve(app, 'POST /sync/deliveries/replay-failed', replayFailedDeliveries)
}
