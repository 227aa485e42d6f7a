import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cancelPurchaseOrder } from '../../shared/domain/purchase-orders/cancel.ts'
import { closePurchaseOrder } from '../../shared/domain/purchase-orders/close.ts'
import { deletePurchaseOrder } from '../../shared/domain/purchase-orders/delete.ts'
import { getOrderDocument } from '../../shared/domain/purchase-orders/document.ts'
import { updatePurchaseOrder } from '../../shared/domain/purchase-orders/edit.ts'
import {
  createPurchaseOrder,
  getPurchaseOrder,
  listPurchaseOrders,
} from '../../shared/domain/purchase-orders/purchase-orders.ts'
import { listReceipts } from '../../shared/domain/purchase-orders/receipts.ts'
import { receivePurchaseOrder } from '../../shared/domain/purchase-orders/receive.ts'
import { reverseReceipt } from '../../shared/domain/purchase-orders/reverse-receipt.ts'
import { sendPurchaseOrder } from '../../shared/domain/purchase-orders/send.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const purchaseOrders: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /purchase-orders', async (request, reply) =>
    okPage(request, reply, await listPurchaseOrders(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /purchase-orders', async ({ db, shop, actor, body }) =>
    ok(await createPurchaseOrder(db, shop.id, actor, body)),
  )

  route(app, 'GET /purchase-orders/:id', async ({ db, shop, params }) =>
    ok(await getPurchaseOrder(db, shop.id, params.id)),
  )

  route(app, 'PUT /purchase-orders/:id', async ({ db, shop, params, body }) =>
    ok(await updatePurchaseOrder(db, shop.id, params.id, body)),
  )

  route(app, 'DELETE /purchase-orders/:id', async ({ db, shop, params }) =>
    ok(await deletePurchaseOrder(db, shop.id, params.id)),
  )

  route(app, 'POST /purchase-orders/:id/send', async ({ db, shop, actor, params, body }) =>
    ok(await sendPurchaseOrder(db, shop.id, params.id, actor, body ?? {})),
  )

  route(app, 'GET /purchase-orders/:id/pdf', async ({ db, shop, params, signal }, reply) => {
    const order = await getOrderDocument(db, shop.id, params.id)
    return reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${order.poNumber}.pdf"`)
      .send(await app.pdf.render(order, { signal }))
  })

  route(
    app,
    'POST /purchase-orders/:id/receive',
    async ({ db, shop, actor, params, body, idempotencyKey }) => {
      const hasKey = idempotencyKey !== undefined
      return ok(await receivePurchaseOrder(db, shop.id, params.id, actor, body, { hasKey }))
    },
  )

  route(app, 'GET /purchase-orders/:id/receipts', async (request, reply) =>
    okPage(request, reply, await listReceipts(request.db, request.shop.id, request.params.id, request.query)),
  )

  route(
    app,
    'POST /purchase-orders/:id/receipts/:receiptId/reverse',
    async ({ db, shop, actor, params, body }) =>
      ok(await reverseReceipt(db, shop.id, params.id, params.receiptId, actor, body ?? {})),
  )

  route(app, 'POST /purchase-orders/:id/cancel', async ({ db, shop, params }) =>
    ok(await cancelPurchaseOrder(db, shop.id, params.id)),
  )

  route(app, 'POST /purchase-orders/:id/close', async ({ db, shop, params }) =>
    ok(await closePurchaseOrder(db, shop.id, params.id)),
  )
}
