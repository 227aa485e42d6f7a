import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createCountPlan,
  deleteCountPlan,
  getCountPlan,
  listCountPlans,
  updateCountPlan,
} from '../../shared/domain/count-plans/count-plans.ts'
import { listRoute, route } from '../http/route.ts'

export const countPlans: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /count-plans', ({ db, shop, query }) => listCountPlans(db, shop.id, query))
  route(app, 'POST /count-plans', ({ db, shop, actor, body }) => createCountPlan(db, shop.id, actor, body))
  route(app, 'GET /count-plans/:id', ({ db, shop, params }) => getCountPlan(db, shop.id, params.id))
  route(app, 'PUT /count-plans/:id', ({ db, shop, params, body }) =>
    updateCountPlan(db, shop.id, params.id, body),
  )
  route(app, 'DELETE /count-plans/:id', ({ db, shop, params }) => deleteCountPlan(db, shop.id, params.id))
}
