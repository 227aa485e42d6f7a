import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  listShopDeliveries,
  replayDelivery,
  replayFailedDeliveries,
} from '../../shared/domain/sync/deliveries.ts'
import { getSync, startSync } from '../../shared/domain/sync/sync.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const sync: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /sync', async ({ db, shop }) => ok(await getSync(db, shop.id)))

  route(app, 'POST /sync', async ({ db, shop }, reply) => {
    const started = await startSync(db, shop.id)
    reply.code(started.isNew ? 201 : 200)
    return ok(started.sync)
  })

  route(app, 'GET /sync/deliveries', async (request, reply) =>
    okPage(request, reply, await listShopDeliveries(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /sync/deliveries/:id/replay', async ({ db, shop, params }) =>
    ok(await replayDelivery(db, shop.id, params.id)),
  )

  route(app, 'POST /sync/deliveries/replay-failed', async ({ db, shop }) =>
    ok(await replayFailedDeliveries(db, shop.id)),
  )
}
