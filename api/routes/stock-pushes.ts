import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { discardStockPush, retryStockPush } from '../../shared/domain/stock-pushes/retry.ts'
import { listStockPushes } from '../../shared/domain/stock-pushes/stock-pushes.ts'
import { IdParam, List, Ok } from '../../shared/schemas/common.ts'
import { DecidedStockPush, StockPush, StockPushFilter } from '../../shared/schemas/stock-pushes.ts'
import { ok, okPage } from '../http/envelope.ts'

export const stockPushes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/stock-pushes',
    {
      schema: {
        summary: 'List changes of stock that the platform has not taken over yet, newest first',
        querystring: StockPushFilter,
        response: { 200: Ok(List(StockPush)) },
      },
    },
    async (request, reply) =>
      okPage(request, reply, await listStockPushes(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/stock-pushes/:id/retry',
    {
      schema: {
        summary: 'Tell the platform again of a change that failed',
        params: IdParam,
        response: { 200: Ok(DecidedStockPush) },
      },
    },
    async ({ db, shop, params }) => ok(await retryStockPush(db, shop.id, params.id)),
  )

  app.post(
    '/stock-pushes/:id/discard',
    {
      schema: {
        summary: "Take the platform's number instead of a change that failed",
        params: IdParam,
        response: { 200: Ok(DecidedStockPush) },
      },
    },
    async ({ db, shop, params }) => ok(await discardStockPush(db, shop.id, params.id)),
  )
}
