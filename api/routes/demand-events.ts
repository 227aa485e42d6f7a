import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createDemandEvent,
  deleteDemandEvent,
  getDemandEvent,
  listDemandEvents,
  updateDemandEvent,
} from '../../shared/domain/demand-events/demand-events.ts'
import { listRoute, route } from '../http/route.ts'

export const demandEvents: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /demand-events', ({ db, shop, query }) => listDemandEvents(db, shop.id, query))
  route(app, 'POST /demand-events', ({ db, shop, actor, body }) =>
    createDemandEvent(db, shop.id, actor, body),
  )
  route(app, 'GET /demand-events/:id', ({ db, shop, params }) => getDemandEvent(db, shop.id, params.id))
  route(app, 'PUT /demand-events/:id', ({ db, shop, params, body }) =>
    updateDemandEvent(db, shop.id, params.id, body),
  )
  route(app, 'DELETE /demand-events/:id', ({ db, shop, params }) => deleteDemandEvent(db, shop.id, params.id))
}
