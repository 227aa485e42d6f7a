import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { saveBins } from '../../shared/domain/bins/bins.ts'
import { importBins } from '../../shared/domain/bins/import.ts'
import { route } from '../http/route.ts'

export const bins: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'PUT /bins', ({ db, shop, actor, body }) => saveBins(db, shop.id, actor, body))
  route(app, 'POST /bins/import', ({ db, shop, actor, body }) => importBins(db, shop.id, actor, body))
}
