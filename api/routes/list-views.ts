import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createListView,
  deleteListView,
  listListViews,
  updateListView,
} from '../../shared/domain/kit/list-views/list-views.ts'
import { serve, serveList } from '../http/route.ts'

export const listViews: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /list-views', listListViews, 'query')
  serve(app, 'POST /list-views', createListView, 'actor', 'body')
  serve(app, 'PUT /list-views/:id', updateListView, 'id', 'body')
  serve(app, 'DELETE /list-views/:id', deleteListView, 'id')
}
