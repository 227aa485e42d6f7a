import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { adjustStock } from '../../shared/domain/ledgers/stock/adjust.ts'
import { setStock } from '../../shared/domain/ledgers/stock/bulk.ts'
import { listStockLevels } from '../../shared/domain/ledgers/stock/levels.ts'
import { serve, serveList } from '../http/route.ts'

export const stockLevels: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /stock-levels', listStockLevels, 'query')
  serve(app, 'PUT /stock-levels/bulk', setStock, 'actor', 'body')
  serve(app, 'POST /stock-levels/adjust', adjustStock, 'actor', 'body')
}
