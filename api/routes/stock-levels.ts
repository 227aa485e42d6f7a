import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { adjustStock, setStock } from '../../shared/domain/stock/adjust.ts'
import { listStockLevels } from '../../shared/domain/stock/levels.ts'
import { List, Ok } from '../../shared/schemas/common.ts'
import { AdjustedStock, StockAdjustment, StockSetting } from '../../shared/schemas/stock-adjustments.ts'
import { StockLevel, StockLevelFilter } from '../../shared/schemas/stock-levels.ts'
import { ok, okPage } from '../http/envelope.ts'

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

  app.put(
    '/stock-levels/bulk',
    {
      schema: {
        summary: 'Set levels to what there is',
        body: StockSetting,
        response: { 200: Ok(AdjustedStock) },
      },
    },
    async ({ db, shop, actor, body }) => ok(await setStock(db, shop.id, actor, body)),
  )

  app.post(
    '/stock-levels/adjust',
    {
      schema: {
        summary: 'Add to levels, or take from them',
        body: StockAdjustment,
        response: { 200: Ok(AdjustedStock) },
      },
    },
    async ({ db, shop, actor, body }) => ok(await adjustStock(db, shop.id, actor, body)),
  )
}
