import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cancelTransfers } from '../../shared/domain/documents/stock-transfers/cancel.ts'
import { closeTransfer } from '../../shared/domain/documents/stock-transfers/close.ts'
import { listTransferCodes } from '../../shared/domain/documents/stock-transfers/codes.ts'
import { createTransferDrafts } from '../../shared/domain/documents/stock-transfers/draft-transfers.ts'
import { listTransferEvents } from '../../shared/domain/documents/stock-transfers/events.ts'
import { listStockTransfers } from '../../shared/domain/documents/stock-transfers/list.ts'
import { getPickList } from '../../shared/domain/documents/stock-transfers/pick-list.ts'
import { receiveTransfer } from '../../shared/domain/documents/stock-transfers/receive.ts'
import { reverseTransferEvent } from '../../shared/domain/documents/stock-transfers/reverse-event.ts'
import { shipTransfer } from '../../shared/domain/documents/stock-transfers/ship.ts'
import { updateStockTransfer } from '../../shared/domain/documents/stock-transfers/steps.ts'
import {
  createStockTransfer,
  getStockTransfer,
} from '../../shared/domain/documents/stock-transfers/stock-transfers.ts'
import { listTransferSuggestions } from '../../shared/domain/planning/replenishment/transfers.ts'
import { route, serve, serveList } from '../http/route.ts'

export const stockTransfers: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /stock-transfers', listStockTransfers, 'query')
  serve(app, 'POST /stock-transfers', createStockTransfer, 'actor', 'body')
  serve(app, 'POST /stock-transfers/cancel', cancelTransfers, 'actor', 'body')
  serveList(app, 'GET /stock-transfers/suggestions', listTransferSuggestions, 'query')
  serve(app, 'POST /stock-transfers/suggestions', createTransferDrafts, 'actor', 'body')
  serve(app, 'GET /stock-transfers/:id', getStockTransfer, 'id')
  serve(app, 'PUT /stock-transfers/:id', updateStockTransfer, 'id', 'actor', 'body')
  route(app, 'POST /stock-transfers/:id/ship', ({ db, shop, actor, params, body, idempotencyKey: key }) =>
    shipTransfer(db, shop.id, params.id, actor, body ?? {}, { key }),
  )
  route(app, 'POST /stock-transfers/:id/receive', ({ db, shop, actor, params, body, idempotencyKey: key }) =>
    receiveTransfer(db, shop.id, params.id, actor, body, { key }),
  )
  route(app, 'POST /stock-transfers/:id/close', ({ db, shop, actor, params, body }) =>
    closeTransfer(db, shop.id, params.id, actor, body ?? {}),
  )
  serve(app, 'GET /stock-transfers/:id/codes', listTransferCodes, 'id')
  serveList(app, 'GET /stock-transfers/:id/events', listTransferEvents, 'id', 'query')
  route(app, 'POST /stock-transfers/:id/events/:eventId/reverse', ({ db, shop, actor, params, body }) =>
    reverseTransferEvent(db, shop.id, params.id, params.eventId, actor, body ?? {}),
  )
  route(app, 'GET /stock-transfers/:id/pick-list.pdf', async ({ db, shop, params, signal }, reply) => {
    const list = await getPickList(db, shop.id, params.id)
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="pick-list-${params.id}.pdf"`)
      .send(await app.pdf.renderPickList(list, { signal }))
  })
}
