import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { discardStockPush } from '../../shared/domain/ledgers/stock-pushes/discard.ts'
import { retryStockPush } from '../../shared/domain/ledgers/stock-pushes/retry.ts'
import { listStockPushes } from '../../shared/domain/ledgers/stock-pushes/stock-pushes.ts'
import { serve, serveList } from '../http/route.ts'

export const stockPushes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /stock-pushes', listStockPushes, 'query')
  serve(app, 'POST /stock-pushes/:id/retry', retryStockPush, 'id')
  serve(app, 'POST /stock-pushes/:id/discard', discardStockPush, 'id')
}
