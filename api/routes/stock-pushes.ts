import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { discardStockPush } from '../../shared/domain/stock-pushes/discard.ts'
import { retryStockPush } from '../../shared/domain/stock-pushes/retry.ts'
import { listStockPushes } from '../../shared/domain/stock-pushes/stock-pushes.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const stockPushes: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /stock-pushes', async (request, reply) =>
    okPage(request, reply, await listStockPushes(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /stock-pushes/:id/retry', async ({ db, shop, params }) =>
    ok(await retryStockPush(db, shop.id, params.id)),
  )

  route(app, 'POST /stock-pushes/:id/discard', async ({ db, shop, params }) =>
    ok(await discardStockPush(db, shop.id, params.id)),
  )
}
