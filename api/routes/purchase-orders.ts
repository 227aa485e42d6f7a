import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import type { Db } from '../../shared/db/db.ts'
import { cancelPurchaseOrder } from '../../shared/domain/documents/purchase-orders/cancel.ts'
import {
  addCharge,
  deleteCharge,
  updateCharge,
} from '../../shared/domain/documents/purchase-orders/charges/charges.ts'
import { getLandedCost } from '../../shared/domain/documents/purchase-orders/charges/landed-cost.ts'
import { closePurchaseOrder } from '../../shared/domain/documents/purchase-orders/close.ts'
import { duplicatePurchaseOrder } from '../../shared/domain/documents/purchase-orders/duplicate.ts'
import { updatePurchaseOrder } from '../../shared/domain/documents/purchase-orders/edit.ts'
import { listPurchaseOrders } from '../../shared/domain/documents/purchase-orders/list/list.ts'
import { getOrderDocument } from '../../shared/domain/documents/purchase-orders/mail/document.ts'
import { getMail, getMailedOrder } from '../../shared/domain/documents/purchase-orders/mail/mails.ts'
import {
  getTemplateOrder,
  templateCsv,
} from '../../shared/domain/documents/purchase-orders/mail/platform-template.ts'
import { previewMail } from '../../shared/domain/documents/purchase-orders/mail/prepare-mail.ts'
import {
  createPurchaseOrder,
  getPurchaseOrder,
} from '../../shared/domain/documents/purchase-orders/purchase-orders.ts'
import { listRevisions, revisePurchaseOrder } from '../../shared/domain/documents/purchase-orders/revise.ts'
import { sendPurchaseOrder } from '../../shared/domain/documents/purchase-orders/send.ts'
import { topUpPurchaseOrder } from '../../shared/domain/documents/purchase-orders/top-up.ts'
import { changeOrders } from '../../shared/domain/documents/receipts/bulk-orders.ts'
import { listCodes } from '../../shared/domain/documents/receipts/codes.ts'
import { deletePurchaseOrder } from '../../shared/domain/documents/receipts/delete-order.ts'
import {
  createDraft,
  deleteDraft,
  getOrderReceipt,
  updateDraft,
} from '../../shared/domain/documents/receipts/drafts.ts'
import { listReceipts } from '../../shared/domain/documents/receipts/of-order.ts'
import { postDraft } from '../../shared/domain/documents/receipts/post-draft.ts'
import { receivePurchaseOrder } from '../../shared/domain/documents/receipts/receive.ts'
import { reverseReceipt } from '../../shared/domain/documents/receipts/reverse-receipt.ts'
import { scanCode } from '../../shared/domain/documents/receipts/scan.ts'
import { suggestIntoOrder } from '../../shared/domain/planning/replenishment/suggest.ts'
import { readLogo } from '../../shared/domain/records/shops/logo.ts'
import { orderCsv } from '../../shared/mail/order-csv.ts'
import type { PurchaseOrderDocument } from '../../shared/schemas/order-document.ts'
import { route, serve, serveList } from '../http/route.ts'

type Options = {
  /** The sender of mails, as the worker has it. */
  mailFrom: string
}

export const purchaseOrders: FastifyPluginAsyncTypebox<Options> = async (app, { mailFrom }) => {
  serveList(app, 'GET /purchase-orders', listPurchaseOrders, 'query')
  serve(app, 'POST /purchase-orders', createPurchaseOrder, 'actor', 'body')
  serve(app, 'POST /purchase-orders/bulk', changeOrders, 'actor', 'body')
  serve(app, 'GET /purchase-orders/:id', getPurchaseOrder, 'id')
  serve(app, 'PUT /purchase-orders/:id', updatePurchaseOrder, 'id', 'actor', 'body')
  serve(app, 'DELETE /purchase-orders/:id', deletePurchaseOrder, 'id')
  route(app, 'POST /purchase-orders/:id/send', ({ db, shop, actor, params, body }) =>
    sendPurchaseOrder(db, shop.id, params.id, actor, body ?? {}),
  )
  route(app, 'GET /purchase-orders/:id/send-preview', ({ db, shop, params, query, signal }) =>
    previewMail(db, shop.id, params.id, query, {
      from: mailFrom,
      render: async (order) => app.pdf.render(order, { signal, logo: await readLogo(db, shop.id, order) }),
    }),
  )
  route(app, 'GET /purchase-orders/:id/mails/:mailId', ({ db, shop, params }) =>
    getMail(db, shop.id, params.id, params.mailId),
  )
  route(app, 'GET /purchase-orders/:id/csv', async ({ db, shop, params, query }, reply) => {
    const sendCsv = (poNumber: string, csv: string) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${poNumber}.csv"`)
        .send(csv)
    if (query.template === 'platform') {
      const order = await getTemplateOrder(db, shop.id, params.id)
      return sendCsv(order.poNumber, templateCsv(order))
    }
    const order = await getOrderDocument(db, shop.id, params.id)
    return sendCsv(order.poNumber, orderCsv(order))
  })
  const sendPdf = async (
    reply: FastifyReply,
    order: PurchaseOrderDocument,
    { db, shopId, signal }: { db: Db; shopId: number; signal: AbortSignal },
  ) =>
    reply
      .type('application/pdf')
      .header('content-disposition', `inline; filename="${order.poNumber}.pdf"`)
      .send(await app.pdf.render(order, { signal, logo: await readLogo(db, shopId, order) }))
  route(app, 'GET /purchase-orders/:id/pdf', async ({ db, shop, params, signal }, reply) =>
    sendPdf(reply, await getOrderDocument(db, shop.id, params.id), { db, shopId: shop.id, signal }),
  )
  route(app, 'GET /purchase-orders/:id/mails/:mailId/pdf', async ({ db, shop, params, signal }, reply) =>
    sendPdf(reply, await getMailedOrder(db, shop.id, params.id, params.mailId), {
      db,
      shopId: shop.id,
      signal,
    }),
  )
  route(app, 'POST /purchase-orders/:id/receive', ({ db, shop, actor, params, body, idempotencyKey }) => {
    const hasKey = idempotencyKey !== undefined
    return receivePurchaseOrder(db, shop.id, params.id, actor, body, { hasKey })
  })
  serveList(app, 'GET /purchase-orders/:id/receipts', listReceipts, 'id', 'query')
  route(app, 'POST /purchase-orders/:id/receipts', ({ db, shop, actor, params, body }) =>
    createDraft(db, shop.id, params.id, actor, body ?? {}),
  )
  serve(app, 'GET /purchase-orders/:id/receipts/:receiptId', getOrderReceipt, 'params')
  serve(app, 'PUT /purchase-orders/:id/receipts/:receiptId', updateDraft, 'params', 'body')
  serve(app, 'DELETE /purchase-orders/:id/receipts/:receiptId', deleteDraft, 'params', 'query')
  route(app, 'POST /purchase-orders/:id/receipts/:receiptId/post', ({ db, shop, actor, params, body }) =>
    postDraft(db, shop.id, params, actor, body ?? {}),
  )
  serve(app, 'GET /purchase-orders/:id/codes', listCodes, 'id')
  route(app, 'GET /purchase-orders/:id/scan', ({ db, shop, params, query }) =>
    scanCode(db, shop.id, params.id, query.code),
  )
  route(app, 'POST /purchase-orders/:id/receipts/:receiptId/reverse', ({ db, shop, actor, params, body }) =>
    reverseReceipt(db, shop.id, params.id, params.receiptId, actor, body ?? {}),
  )
  serve(app, 'POST /purchase-orders/:id/charges', addCharge, 'id', 'actor', 'body')
  serve(app, 'PUT /purchase-orders/:id/charges/:chargeId', updateCharge, 'params', 'actor', 'body')
  serve(app, 'DELETE /purchase-orders/:id/charges/:chargeId', deleteCharge, 'params', 'actor', 'query')
  serve(app, 'GET /purchase-orders/:id/landed-cost', getLandedCost, 'id')
  serve(app, 'POST /purchase-orders/:id/cancel', cancelPurchaseOrder, 'id', 'actor')
  serve(app, 'POST /purchase-orders/:id/close', closePurchaseOrder, 'id', 'actor')
  serve(app, 'POST /purchase-orders/:id/duplicate', duplicatePurchaseOrder, 'id', 'actor')
  route(app, 'POST /purchase-orders/:id/top-up', ({ db, shop, actor, params, body }) =>
    topUpPurchaseOrder(db, shop.id, params.id, actor, body ?? {}),
  )
  serve(app, 'POST /purchase-orders/:id/suggest', suggestIntoOrder, 'id', 'actor', 'body')
  serve(app, 'POST /purchase-orders/:id/revise', revisePurchaseOrder, 'id', 'actor', 'body')
  serveList(app, 'GET /purchase-orders/:id/revisions', listRevisions, 'id', 'query')
}
