import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { createReorderDrafts } from '../../shared/domain/reorder/draft-orders.ts'
import { importReorderRules } from '../../shared/domain/reorder/import.ts'
import {
  createReorderRule,
  deleteReorderRule,
  getReorderRule,
  listReorderRules,
  updateReorderRule,
} from '../../shared/domain/reorder/rules.ts'
import { saveReorderRules } from '../../shared/domain/reorder/save-rules.ts'
import { listReorderSuggestions } from '../../shared/domain/reorder/suggestions.ts'
import { ok, okPage } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const reorder: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /reorder/rules', async (request, reply) =>
    okPage(request, reply, await listReorderRules(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /reorder/rules', async ({ db, shop, actor, body }) =>
    ok(await createReorderRule(db, shop.id, actor, body)),
  )

  route(app, 'POST /reorder/rules/bulk', async ({ db, shop, actor, body }) =>
    ok(await saveReorderRules(db, shop.id, actor, body)),
  )

  route(app, 'POST /reorder/rules/import', async ({ db, shop, actor, body }) =>
    ok(await importReorderRules(db, shop.id, actor, body)),
  )

  route(app, 'GET /reorder/rules/:id', async ({ db, shop, params }) =>
    ok(await getReorderRule(db, shop.id, params.id)),
  )

  route(app, 'PUT /reorder/rules/:id', async ({ db, shop, params, body }) =>
    ok(await updateReorderRule(db, shop.id, params.id, body)),
  )

  route(app, 'DELETE /reorder/rules/:id', async ({ db, shop, params }) =>
    ok(await deleteReorderRule(db, shop.id, params.id)),
  )

  route(app, 'GET /reorder/suggestions', async (request, reply) =>
    okPage(request, reply, await listReorderSuggestions(request.db, request.shop.id, request.query)),
  )

  route(app, 'POST /reorder/purchase-orders', async ({ db, shop, actor, body }) =>
    ok(await createReorderDrafts(db, shop.id, actor, body ?? {})),
  )
}
