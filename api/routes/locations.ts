import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listLocations } from '../../shared/domain/catalogue/locations.ts'
import { ok } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const locations: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /locations', async ({ db, shop }) => ok(await listLocations(db, shop.id)))
}
