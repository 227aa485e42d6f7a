import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createListView,
  deleteListView,
  listListViews,
  updateListView,
} from '../../shared/domain/list-views/list-views.ts'
import { listRoute, route } from '../http/route.ts'

export const listViews: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /list-views', ({ db, shop, query }) => listListViews(db, shop.id, query))
  route(app, 'POST /list-views', ({ db, shop, actor, body }) => createListView(db, shop.id, actor, body))
  route(app, 'PUT /list-views/:id', ({ db, shop, params, body }) =>
    updateListView(db, shop.id, params.id, body),
  )
  route(app, 'DELETE /list-views/:id', ({ db, shop, params }) => deleteListView(db, shop.id, params.id))
}
