import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateStockTransfer } from '../../shared/domain/stock-transfers/steps.ts'
import {
  createStockTransfer,
  getStockTransfer,
  listStockTransfers,
} from '../../shared/domain/stock-transfers/stock-transfers.ts'
import { IdParam, List, Ok } from '../../shared/schemas/common.ts'
import {
  CreatedStockTransfer,
  StockTransfer,
  StockTransferFilter,
  StockTransferInput,
  StockTransferListItem,
  StockTransferPatch,
  UpdatedStockTransfer,
} from '../../shared/schemas/stock-transfers.ts'
import { created, ok, okPage } from '../http/envelope.ts'

export const stockTransfers: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/stock-transfers',
    {
      schema: {
        summary: 'List transfers, newest first',
        querystring: StockTransferFilter,
        response: { 200: Ok(List(StockTransferListItem)) },
      },
    },
    async (request, reply) =>
      okPage(request, reply, await listStockTransfers(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/stock-transfers',
    {
      schema: {
        summary: 'Plan a transfer; nothing moves yet',
        body: StockTransferInput,
        response: { 201: Ok(CreatedStockTransfer) },
      },
    },
    async ({ db, shop, actor, body }, reply) =>
      created(reply, await createStockTransfer(db, shop.id, actor, body)),
  )

  app.get(
    '/stock-transfers/:id',
    {
      schema: {
        summary: 'Get a transfer with its items',
        params: IdParam,
        response: { 200: Ok(StockTransfer) },
      },
    },
    async ({ db, shop, params }) => ok(await getStockTransfer(db, shop.id, params.id)),
  )

  app.put(
    '/stock-transfers/:id',
    {
      schema: {
        summary:
          'Ship, complete or cancel a transfer, or change its notes, and its items while it is pending',
        params: IdParam,
        body: StockTransferPatch,
        response: { 200: Ok(UpdatedStockTransfer) },
      },
    },
    async ({ db, shop, actor, params, body }) =>
      ok(await updateStockTransfer(db, shop.id, params.id, actor, body)),
  )
}
