import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createBuyingBudget,
  deleteBuyingBudget,
  getBuyingBudget,
  listBuyingBudgets,
  updateBuyingBudget,
} from '../../shared/domain/buying-budgets/buying-budgets.ts'
import { planBudget } from '../../shared/domain/buying-budgets/suggestions.ts'
import { listRoute, route } from '../http/route.ts'

export const buyingBudgets: FastifyPluginAsyncTypebox = async (app) => {
  listRoute(app, 'GET /buying-budgets', ({ db, shop, query }) => listBuyingBudgets(db, shop.id, query))
  route(app, 'POST /buying-budgets', ({ db, shop, actor, body }) =>
    createBuyingBudget(db, shop.id, actor, body),
  )
  route(app, 'GET /buying-budgets/:id', ({ db, shop, params }) => getBuyingBudget(db, shop.id, params.id))
  route(app, 'PUT /buying-budgets/:id', ({ db, shop, params, body }) =>
    updateBuyingBudget(db, shop.id, params.id, body),
  )
  route(app, 'DELETE /buying-budgets/:id', ({ db, shop, params }) =>
    deleteBuyingBudget(db, shop.id, params.id),
  )
  route(app, 'GET /buying-budgets/:id/suggestions', ({ db, shop, params, query }) =>
    planBudget(db, shop.id, params.id, query),
  )
}
