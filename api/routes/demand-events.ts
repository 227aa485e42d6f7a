import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createDemandEvent,
  deleteDemandEvent,
  getDemandEvent,
  listDemandEvents,
  updateDemandEvent,
} from '../../shared/domain/planning/demand-events/demand-events.ts'
import { serve, serveList } from '../http/route.ts'

export const demandEvents: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /demand-events', listDemandEvents, 'query')
  serve(app, 'POST /demand-events', createDemandEvent, 'actor', 'body')
  serve(app, 'GET /demand-events/:id', getDemandEvent, 'id')
  serve(app, 'PUT /demand-events/:id', updateDemandEvent, 'id', 'body')
  serve(app, 'DELETE /demand-events/:id', deleteDemandEvent, 'id')
}
