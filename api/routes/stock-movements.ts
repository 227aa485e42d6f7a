import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listStockMovements } from '../../shared/domain/stock/movements.ts'
import { List, Ok } from '../../shared/schemas/common.ts'
import { StockMovement, StockMovementFilter } from '../../shared/schemas/stock-movements.ts'
import { okPage } from '../http/envelope.ts'

export const stockMovements: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/stock-movements',
    {
      schema: {
        summary: 'List how stock came to what it is, newest first',
        querystring: StockMovementFilter,
        response: { 200: Ok(List(StockMovement)) },
      },
      config: { csv: Object.keys(StockMovement.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listStockMovements(request.db, request.shop.id, request.query)),
  )
}
