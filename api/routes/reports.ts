import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listAdjustments } from '../../shared/domain/reports.ts'
import { List, Ok } from '../../shared/schemas/common.ts'
import { Adjustment, AdjustmentFilter } from '../../shared/schemas/reports.ts'
import { okPage } from '../envelope.ts'

export const reports: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/reports/adjustments',
    {
      schema: {
        summary: 'What people set, changed and counted, newest first',
        querystring: AdjustmentFilter,
        response: { 200: Ok(List(Adjustment)) },
      },
      config: { csv: Object.keys(Adjustment.properties) },
    },
    async (request, reply) =>
      okPage(request, reply, await listAdjustments(request.db, request.shop.id, request.query)),
  )
}
