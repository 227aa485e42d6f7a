import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { adjustStock } from '../../shared/domain/stock/adjust.ts'
import { setStock } from '../../shared/domain/stock/bulk.ts'
import { listStockLevels } from '../../shared/domain/stock/levels.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const stockLevels: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /stock-levels', async (request, reply) =>
    okPage(request, reply, await listStockLevels(request.db, request.shop.id, request.query)),
  )

  route(app, 'PUT /stock-levels/bulk', async ({ db, shop, actor, body }) =>
    ok(await setStock(db, shop.id, actor, body)),
  )

  route(app, 'POST /stock-levels/adjust', async ({ db, shop, actor, body }) =>
    ok(await adjustStock(db, shop.id, actor, body)),
  )
}
