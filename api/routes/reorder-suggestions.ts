import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createReorderDrafts } from '../../shared/domain/reorder/draft-orders.ts'
import { listReorderSuggestions } from '../../shared/domain/reorder/suggestions.ts'
import { List, Ok, PageQuery } from '../../shared/schemas/common.ts'
import {
  ReorderDrafts,
  ReorderDraftsInput,
  ReorderSuggestion,
} from '../../shared/schemas/reorder-suggestions.ts'
import { created, okPage } from '../http/envelope.ts'

export const reorderSuggestions: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/reorder/suggestions',
    {
      schema: {
        summary: 'List what to order again, the newest rules first',
        querystring: PageQuery,
        response: { 200: Ok(List(ReorderSuggestion)) },
      },
      config: { csv: Object.keys(ReorderSuggestion.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listReorderSuggestions(request.db, request.shop.id, request.query)),
  )

  app.post(
    '/reorder/purchase-orders',
    {
      schema: {
        summary: 'Create drafts of what is suggested, one for each supplier',
        body: ReorderDraftsInput,
        response: { 201: Ok(ReorderDrafts) },
      },
    },
    async ({ db, shop, actor, body }, reply) =>
      created(reply, await createReorderDrafts(db, shop.id, actor, body ?? {})),
  )
}
