import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listStockMovements } from '../../shared/domain/ledgers/stock/movements.ts'
import { serveList } from '../http/route.ts'

export const stockMovements: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /stock-movements', listStockMovements, 'query')
}
