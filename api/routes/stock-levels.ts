import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listStockLevels } from '../../shared/domain/stock-levels.ts'
import { List, Ok } from '../../shared/schemas/common.ts'
import { StockLevel, StockLevelFilter } from '../../shared/schemas/stock-levels.ts'
import { okPage } from '../envelope.ts'

export const stockLevels: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/stock-levels',
    {
      schema: {
        summary: 'List what is where, by variant and location',
        querystring: StockLevelFilter,
        response: { 200: Ok(List(StockLevel)) },
      },
      config: { csv: Object.keys(StockLevel.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listStockLevels(request.db, request.shop.id, request.query)),
  )
}
