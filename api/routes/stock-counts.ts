import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createStockCount,
  getStockCount,
  listStockCounts,
  updateStockCount,
} from '../../shared/domain/stock-counts/stock-counts.ts'
import { IdParam, List, Ok } from '../../shared/schemas/common.ts'
import {
  CreatedStockCount,
  StockCount,
  StockCountFilter,
  StockCountInput,
  StockCountListItem,
  StockCountPatch,
  UpdatedStockCount,
} from '../../shared/schemas/stock-counts.ts'
import { created, ok, okPage } from '../http/envelope.ts'

export const stockCounts: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/stock-counts',
    {
      schema: {
        summary: 'List counts, newest first',
        querystring: StockCountFilter,
        response: { 200: Ok(List(StockCountListItem)) },
      },
    },
    async (request, reply) =>
      okPage(request, reply, await listStockCounts(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/stock-counts',
    {
      schema: {
        summary: 'Begin a count of a location',
        body: StockCountInput,
        response: { 201: Ok(CreatedStockCount) },
      },
    },
    async ({ db, shop, actor, body }, reply) =>
      created(reply, await createStockCount(db, shop.id, actor, body)),
  )

  app.get(
    '/stock-counts/:id',
    {
      schema: {
        summary: 'Get a count with its items',
        params: IdParam,
        response: { 200: Ok(StockCount) },
      },
    },
    async ({ db, shop, params }) => ok(await getStockCount(db, shop.id, params.id)),
  )

  app.put(
    '/stock-counts/:id',
    {
      schema: {
        summary: 'Save what was counted, and submit or cancel the count',
        params: IdParam,
        body: StockCountPatch,
        response: { 200: Ok(UpdatedStockCount) },
      },
    },
    async ({ db, shop, actor, params, body }) =>
      ok(await updateStockCount(db, shop.id, params.id, actor, body)),
  )
}
