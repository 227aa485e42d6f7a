import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  listShopDeliveries,
  replayDelivery,
  replayFailedDeliveries,
} from '../../shared/domain/sync/deliveries.ts'
import { getSync, startSync } from '../../shared/domain/sync/sync.ts'
import { listRoute, route } from '../http/route.ts'

export const sync: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /sync', ({ db, shop }) => getSync(db, shop.id))
  route(app, 'POST /sync', async ({ db, shop }, reply) => {
    const started = await startSync(db, shop.id, 'merchant')
    reply.code(started.isNew ? 201 : 200)
    return started.sync
  })
  listRoute(app, 'GET /sync/deliveries', ({ db, shop, query }) => listShopDeliveries(db, shop.id, query))
  route(app, 'POST /sync/deliveries/:id/replay', ({ db, shop, params }) =>
    replayDelivery(db, shop.id, params.id),
  )
  route(app, 'POST /sync/deliveries/replay-failed', ({ db, shop }) => replayFailedDeliveries(db, shop.id))
}
