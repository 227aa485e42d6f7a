import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { receiveDirectly } from '../../shared/domain/documents/receipts/direct.ts'
import { listAllReceipts } from '../../shared/domain/documents/receipts/list.ts'
import { getReceipt } from '../../shared/domain/documents/receipts/receipts.ts'
import { reverseAnyReceipt } from '../../shared/domain/documents/receipts/reverse.ts'
import { getReturnable } from '../../shared/domain/documents/supplier-returns/returnable.ts'
import { route, serve, serveList } from '../http/route.ts'

export const receipts: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /receipts', listAllReceipts, 'query')
  route(app, 'POST /receipts', ({ db, shop, actor, body, idempotencyKey }) =>
    receiveDirectly(db, shop.id, actor, body, { hasKey: idempotencyKey !== undefined }),
  )
  serve(app, 'GET /receipts/:id', getReceipt, 'id')
  serve(app, 'GET /receipts/:id/returnable', getReturnable, 'id')
  route(app, 'POST /receipts/:id/reverse', ({ db, shop, actor, params, body }) =>
    reverseAnyReceipt(db, shop.id, params.id, actor, body ?? {}),
  )
}
