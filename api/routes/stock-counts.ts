import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addProducts } from '../../shared/domain/documents/stock-counts/add-products.ts'
import { approveCount } from '../../shared/domain/documents/stock-counts/approve.ts'
import { cancelCounts } from '../../shared/domain/documents/stock-counts/cancel.ts'
import { finishCounting } from '../../shared/domain/documents/stock-counts/finish.ts'
import { listStockCounts } from '../../shared/domain/documents/stock-counts/list.ts'
import { recountVariances } from '../../shared/domain/documents/stock-counts/recount.ts'
import { createStockCount, getStockCount } from '../../shared/domain/documents/stock-counts/stock-counts.ts'
import { updateStockCount } from '../../shared/domain/documents/stock-counts/update.ts'
import { route, serve, serveList } from '../http/route.ts'

export const stockCounts: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /stock-counts', listStockCounts, 'query')
  serve(app, 'POST /stock-counts', createStockCount, 'actor', 'body')
  serve(app, 'POST /stock-counts/cancel', cancelCounts, 'body')
  serve(app, 'GET /stock-counts/:id', getStockCount, 'id', 'actor')
  serve(app, 'PUT /stock-counts/:id', updateStockCount, 'id', 'actor', 'body')
  serve(app, 'POST /stock-counts/:id/add-products', addProducts, 'id', 'actor', 'body')
  serve(app, 'POST /stock-counts/:id/finish', finishCounting, 'id', 'actor')
  serve(app, 'POST /stock-counts/:id/recount', recountVariances, 'id', 'actor', 'body')
  route(app, 'POST /stock-counts/:id/approve', ({ db, shop, actor, params, body }) =>
    approveCount(db, shop.id, params.id, actor, body ?? {}),
  )
}
