import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  createCountPlan,
  deleteCountPlan,
  getCountPlan,
  listCountPlans,
  updateCountPlan,
} from '../../shared/domain/documents/stock-counts/plans/count-plans.ts'
import { serve, serveList } from '../http/route.ts'

export const countPlans: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /count-plans', listCountPlans, 'query')
  serve(app, 'POST /count-plans', createCountPlan, 'actor', 'body')
  serve(app, 'GET /count-plans/:id', getCountPlan, 'id')
  serve(app, 'PUT /count-plans/:id', updateCountPlan, 'id', 'body')
  serve(app, 'DELETE /count-plans/:id', deleteCountPlan, 'id')
}
