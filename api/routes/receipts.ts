import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listReceipts } from '../../shared/domain/purchase-orders/receipts.ts'
import { receivePurchaseOrder } from '../../shared/domain/purchase-orders/receive.ts'
import { reverseReceipt } from '../../shared/domain/purchase-orders/reverse-receipt.ts'
import { IdParam, List, Ok, PageQuery } from '../../shared/schemas/common.ts'
import { ReceivedPurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import {
  Receipt,
  ReceiptInput,
  ReceiptParams,
  ReceiptReversal,
  ReversedReceipt,
} from '../../shared/schemas/receipts.ts'
import { ok, okPage } from '../http/envelope.ts'

/** Goods that arrive against purchase orders. */
export const receipts: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/purchase-orders/:id/receive',
    {
      schema: {
        summary: 'Write down goods that have arrived',
        params: IdParam,
        body: ReceiptInput,
        response: { 200: Ok(ReceivedPurchaseOrder) },
      },
    },
    async ({ db, shop, actor, params, body, idempotencyKey }) => {
      const hasKey = idempotencyKey !== undefined
      return ok(await receivePurchaseOrder(db, shop.id, params.id, actor, body, { hasKey }))
    },
  )

  app.get(
    '/purchase-orders/:id/receipts',
    {
      schema: {
        summary: 'List what has arrived of an order, newest first',
        params: IdParam,
        querystring: PageQuery,
        response: { 200: Ok(List(Receipt)) },
      },
    },
    async (request, reply) =>
      okPage(
        request,
        reply,
        await listReceipts(request.db, request.shop.id, request.params.id, request.query),
      ),
  )

  app.post(
    '/purchase-orders/:id/receipts/:receiptId/reverse',
    {
      schema: {
        summary: 'Take a receipt back, with the stock that it moved',
        params: ReceiptParams,
        body: ReceiptReversal,
        response: { 200: Ok(ReversedReceipt) },
      },
    },
    async ({ db, shop, actor, params, body }) =>
      ok(await reverseReceipt(db, shop.id, params.id, params.receiptId, actor, body ?? {})),
  )
}
