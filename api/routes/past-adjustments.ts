import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listPastAdjustments } from '../../shared/domain/past-adjustments/past-adjustments.ts'
import { listRoute } from '../http/route.ts'

export const pastAdjustments: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /past-adjustments', ({ db, shop, query }) => listPastAdjustments(db, shop.id, query))
}
