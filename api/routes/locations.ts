import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listLocations } from '../../shared/domain/catalogue/locations.ts'
import { route } from '../http/route.ts'

export const locations: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /locations', ({ db, shop }) => listLocations(db, shop.id))
}
