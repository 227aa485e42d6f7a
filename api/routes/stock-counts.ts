import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createStockCount,
  getStockCount,
  listStockCounts,
  updateStockCount,
} from '../../shared/domain/stock-counts/stock-counts.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const stockCounts: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /stock-counts', async (request, reply) =>
    okPage(request, reply, await listStockCounts(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /stock-counts', async ({ db, shop, actor, body }) =>
    ok(await createStockCount(db, shop.id, actor, body)),
  )

  route(app, 'GET /stock-counts/:id', async ({ db, shop, params }) =>
    ok(await getStockCount(db, shop.id, params.id)),
  )

  route(app, 'PUT /stock-counts/:id', async ({ db, shop, actor, params, body }) =>
    ok(await updateStockCount(db, shop.id, params.id, actor, body)),
  )
}
