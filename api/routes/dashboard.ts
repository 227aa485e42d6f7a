import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getDashboard } from '../../shared/domain/reports/dashboard.ts'
import { ok } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const dashboard: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /dashboard', async ({ db, shop }) => ok(await getDashboard(db, shop.id)))
}
