import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createBuyingBudget,
  deleteBuyingBudget,
  getBuyingBudget,
  listBuyingBudgets,
  updateBuyingBudget,
} from '../../shared/domain/views/reports/buying-budgets/buying-budgets.ts'
import { planBudget } from '../../shared/domain/views/reports/buying-budgets/suggestions.ts'
import { serve, serveList } from '../http/route.ts'

export const buyingBudgets: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /buying-budgets', listBuyingBudgets, 'query')
  serve(app, 'POST /buying-budgets', createBuyingBudget, 'actor', 'body')
  serve(app, 'GET /buying-budgets/:id', getBuyingBudget, 'id')
  serve(app, 'PUT /buying-budgets/:id', updateBuyingBudget, 'id', 'body')
  serve(app, 'DELETE /buying-budgets/:id', deleteBuyingBudget, 'id')
  serve(app, 'GET /buying-budgets/:id/suggestions', planBudget, 'id', 'query')
}
