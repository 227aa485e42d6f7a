import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSync, startSync } from '../../shared/domain/catalogue/sync.ts'
import {
  listShopDeliveries,
  replayDelivery,
  replayFailedDeliveries,
} from '../../shared/domain/webhooks/shop-deliveries.ts'
import { IdParam, List, Ok } from '../../shared/schemas/common.ts'
import {
  Delivery,
  DeliveryFilter,
  ReplayedDeliveries,
  ReplayedDelivery,
  Sync,
} from '../../shared/schemas/sync.ts'
import { ok, okPage } from '../http/envelope.ts'

export const sync: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/sync', { schema: { response: { 200: Ok(Sync) } } }, async ({ db, shop }) =>
    ok(await getSync(db, shop.id)),
  )

  app.post(
    '/sync',
    { schema: { response: { 200: Ok(Sync), 201: Ok(Sync) } } },
    async ({ db, shop }, reply) => {
      const started = await startSync(db, shop.id)
      reply.code(started.isNew ? 201 : 200)
      return ok(started.sync)
    },
  )

  app.get(
    '/sync/deliveries',
    {
      schema: {
        summary: 'List news of the platform by what became of it, newest first; what has failed unless told',
        querystring: DeliveryFilter,
        response: { 200: Ok(List(Delivery)) },
      },
    },
    async (request, reply) =>
      okPage(request, reply, await listShopDeliveries(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/sync/deliveries/replay-failed',
    { schema: { summary: 'Apply again all that failed', response: { 200: Ok(ReplayedDeliveries) } } },
    async ({ db, shop }) => ok(await replayFailedDeliveries(db, shop.id)),
  )

  app.post(
    '/sync/deliveries/:id/replay',
    {
      schema: {
        summary: 'Apply again what failed',
        params: IdParam,
        response: { 200: Ok(ReplayedDelivery) },
      },
    },
    async ({ db, shop, params }) => ok(await replayDelivery(db, shop.id, params.id)),
  )
}
