import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listPastAdjustments } from '../../shared/domain/documents/past-adjustments/past-adjustments.ts'
import { serveList } from '../http/route.ts'

export const pastAdjustments: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'GET /past-adjustments', listPastAdjustments, 'query')
}
