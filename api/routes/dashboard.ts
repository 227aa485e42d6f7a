import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getDashboard } from '../../shared/domain/reports/dashboard.ts'
import { route } from '../http/route.ts'

export const dashboard: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /dashboard', ({ db, shop }) => getDashboard(db, shop.id))
}
