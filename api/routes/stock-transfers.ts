import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateStockTransfer } from '../../shared/domain/stock-transfers/steps.ts'
import {
  createStockTransfer,
  getStockTransfer,
  listStockTransfers,
} from '../../shared/domain/stock-transfers/stock-transfers.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const stockTransfers: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /stock-transfers', async (request, reply) =>
    okPage(request, reply, await listStockTransfers(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /stock-transfers', async ({ db, shop, actor, body }) =>
    ok(await createStockTransfer(db, shop.id, actor, body)),
  )

  route(app, 'GET /stock-transfers/:id', async ({ db, shop, params }) =>
    ok(await getStockTransfer(db, shop.id, params.id)),
  )

  route(app, 'PUT /stock-transfers/:id', async ({ db, shop, actor, params, body }) =>
    ok(await updateStockTransfer(db, shop.id, params.id, actor, body)),
  )
}
