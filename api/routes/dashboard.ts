import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getDashboard } from '../../shared/domain/reports/dashboard.ts'
import { Ok } from '../../shared/schemas/common.ts'
import { Dashboard } from '../../shared/schemas/dashboard.ts'
import { ok } from '../http/envelope.ts'

export const dashboard: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/dashboard',
    { schema: { summary: 'What to look at first', response: { 200: Ok(Dashboard) } } },
    async ({ db, shop }) => ok(await getDashboard(db, shop.id)),
  )
}
