import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cancelTransfers } from '../../shared/domain/stock-transfers/cancel.ts'
import { closeTransfer } from '../../shared/domain/stock-transfers/close.ts'
import { listTransferCodes } from '../../shared/domain/stock-transfers/codes.ts'
import { createTransferDrafts } from '../../shared/domain/stock-transfers/draft-transfers.ts'
import { listTransferEvents } from '../../shared/domain/stock-transfers/events.ts'
import { listStockTransfers } from '../../shared/domain/stock-transfers/list.ts'
import { getPickList } from '../../shared/domain/stock-transfers/pick-list.ts'
import { receiveTransfer } from '../../shared/domain/stock-transfers/receive.ts'
import { reverseTransferEvent } from '../../shared/domain/stock-transfers/reverse-event.ts'
import { shipTransfer } from '../../shared/domain/stock-transfers/ship.ts'
import { updateStockTransfer } from '../../shared/domain/stock-transfers/steps.ts'
import { createStockTransfer, getStockTransfer } from '../../shared/domain/stock-transfers/stock-transfers.ts'
import { listTransferSuggestions } from '../../shared/domain/stock-transfers/suggestions.ts'
import { listRoute, route } from '../http/route.ts'

export const stockTransfers: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /stock-transfers', ({ db, shop, query }) => listStockTransfers(db, shop.id, query))
  route(app, 'POST /stock-transfers', ({ db, shop, actor, body }) =>
    createStockTransfer(db, shop.id, actor, body),
  )
  route(app, 'POST /stock-transfers/cancel', ({ db, shop, actor, body }) =>
    cancelTransfers(db, shop.id, actor, body),
  )
  listRoute(app, 'GET /stock-transfers/suggestions', ({ db, shop, query }) =>
    listTransferSuggestions(db, shop.id, query),
  )
  route(app, 'POST /stock-transfers/suggestions', ({ db, shop, actor, body }) =>
    createTransferDrafts(db, shop.id, actor, body),
  )
  route(app, 'GET /stock-transfers/:id', ({ db, shop, params }) => getStockTransfer(db, shop.id, params.id))
  route(app, 'PUT /stock-transfers/:id', ({ db, shop, actor, params, body }) =>
    updateStockTransfer(db, shop.id, params.id, actor, body),
  )
  route(app, 'POST /stock-transfers/:id/ship', ({ db, shop, actor, params, body, idempotencyKey: key }) =>
    shipTransfer(db, shop.id, params.id, actor, body ?? {}, { key }),
  )
  route(app, 'POST /stock-transfers/:id/receive', ({ db, shop, actor, params, body, idempotencyKey: key }) =>
    receiveTransfer(db, shop.id, params.id, actor, body, { key }),
  )
  route(app, 'POST /stock-transfers/:id/close', ({ db, shop, actor, params, body }) =>
    closeTransfer(db, shop.id, params.id, actor, body ?? {}),
  )
  route(app, 'GET /stock-transfers/:id/codes', ({ db, shop, params }) =>
    listTransferCodes(db, shop.id, params.id),
  )
  listRoute(app, 'GET /stock-transfers/:id/events', ({ db, shop, params, query }) =>
    listTransferEvents(db, shop.id, params.id, query),
  )
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
