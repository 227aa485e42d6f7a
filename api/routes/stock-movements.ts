import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listStockMovements } from '../../shared/domain/stock/movements.ts'
import { okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const stockMovements: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /stock-movements', async (request, reply) =>
    okPage(request, reply, await listStockMovements(request.db, request.shop.id, request.query)),
  )
}
