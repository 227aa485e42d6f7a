import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getPickList } from '../../shared/domain/stock-transfers/pick-list.ts'
import { updateStockTransfer } from '../../shared/domain/stock-transfers/steps.ts'
import {
  createStockTransfer,
  getStockTransfer,
  listStockTransfers,
} from '../../shared/domain/stock-transfers/stock-transfers.ts'
import { listRoute, route } from '../http/route.ts'

export const stockTransfers: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /stock-transfers', ({ db, shop, query }) => listStockTransfers(db, shop.id, query))
  route(app, 'POST /stock-transfers', ({ db, shop, actor, body }) =>
    createStockTransfer(db, shop.id, actor, body),
  )
  route(app, 'GET /stock-transfers/:id', ({ db, shop, params }) => getStockTransfer(db, shop.id, params.id))
  route(app, 'PUT /stock-transfers/:id', ({ db, shop, actor, params, body }) =>
    updateStockTransfer(db, shop.id, params.id, actor, body),
  )
  route(app, 'GET /stock-transfers/:id/pick-list.pdf', async ({ db, shop, params, signal }, reply) => {
    const list = await getPickList(db, shop.id, params.id)
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="pick-list-${params.id}.pdf"`)
      .send(await app.pdf.renderPickList(list, { signal }))
  })
}
