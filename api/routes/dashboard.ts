import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getDashboard } from '../../shared/domain/views/reports/dashboard.ts'
import { serve } from '../http/route.ts'

export const dashboard: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'GET /dashboard', getDashboard)
}
