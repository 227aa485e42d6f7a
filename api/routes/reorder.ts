import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createReorderDrafts } from '../../shared/domain/planning/reorder/draft-orders.ts'
import { importReorderRules } from '../../shared/domain/planning/reorder/import.ts'
import { listReorderRules } from '../../shared/domain/planning/reorder/list-rules.ts'
import {
  createReorderRule,
  deleteReorderRule,
  deleteReorderRules,
  getReorderRule,
  updateReorderRule,
} from '../../shared/domain/planning/reorder/rules.ts'
import { saveReorderRules } from '../../shared/domain/planning/reorder/save-rules.ts'
import { listReorderSuggestions } from '../../shared/domain/planning/reorder/suggestions.ts'
import { route, serve, serveList } from '../http/route.ts'

export const reorder: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /reorder/rules', listReorderRules, 'query')
  serve(app, 'POST /reorder/rules', createReorderRule, 'actor', 'body')
  serve(app, 'POST /reorder/rules/bulk', saveReorderRules, 'actor', 'body')
  serve(app, 'POST /reorder/rules/delete', deleteReorderRules, 'body')
  serve(app, 'POST /reorder/rules/import', importReorderRules, 'actor', 'body')
  serve(app, 'GET /reorder/rules/:id', getReorderRule, 'id')
  serve(app, 'PUT /reorder/rules/:id', updateReorderRule, 'id', 'body')
  serve(app, 'DELETE /reorder/rules/:id', deleteReorderRule, 'id')
  serveList(app, 'GET /reorder/suggestions', listReorderSuggestions, 'query')
  route(app, 'POST /reorder/purchase-orders', ({ db, shop, actor, body }) =>
    createReorderDrafts(db, shop.id, actor, body ?? {}),
  )
}
