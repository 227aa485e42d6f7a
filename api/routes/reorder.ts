import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createReorderDrafts } from '../../shared/domain/reorder/draft-orders.ts'
import { importReorderRules } from '../../shared/domain/reorder/import.ts'
import { listReorderRules } from '../../shared/domain/reorder/list-rules.ts'
import {
  createReorderRule,
  deleteReorderRule,
  deleteReorderRules,
  getReorderRule,
  updateReorderRule,
} from '../../shared/domain/reorder/rules.ts'
import { saveReorderRules } from '../../shared/domain/reorder/save-rules.ts'
import { listReorderSuggestions } from '../../shared/domain/reorder/suggestions.ts'
import { listRoute, route } from '../http/route.ts'

export const reorder: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /reorder/rules', ({ db, shop, query }) => listReorderRules(db, shop.id, query))
  route(app, 'POST /reorder/rules', ({ db, shop, actor, body }) =>
    createReorderRule(db, shop.id, actor, body),
  )
  route(app, 'POST /reorder/rules/bulk', ({ db, shop, actor, body }) =>
    saveReorderRules(db, shop.id, actor, body),
  )
  route(app, 'POST /reorder/rules/delete', ({ db, shop, body }) => deleteReorderRules(db, shop.id, body))
  route(app, 'POST /reorder/rules/import', ({ db, shop, actor, body }) =>
    importReorderRules(db, shop.id, actor, body),
  )
  route(app, 'GET /reorder/rules/:id', ({ db, shop, params }) => getReorderRule(db, shop.id, params.id))
  route(app, 'PUT /reorder/rules/:id', ({ db, shop, params, body }) =>
    updateReorderRule(db, shop.id, params.id, body),
  )
  route(app, 'DELETE /reorder/rules/:id', ({ db, shop, params }) => deleteReorderRule(db, shop.id, params.id))
  listRoute(app, 'GET /reorder/suggestions', ({ db, shop, query }) =>
    listReorderSuggestions(db, shop.id, query),
  )
  route(app, 'POST /reorder/purchase-orders', ({ db, shop, actor, body }) =>
    createReorderDrafts(db, shop.id, actor, body ?? {}),
  )
}
