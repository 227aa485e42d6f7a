import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listLocations } from '../../shared/domain/catalogue/locations.ts'
import { List, Ok } from '../../shared/schemas/common.ts'
import { Location } from '../../shared/schemas/locations.ts'
import { ok } from '../http/envelope.ts'

export const locations: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/locations', { schema: { response: { 200: Ok(List(Location)) } } }, async ({ db, shop }) =>
    ok(await listLocations(db, shop.id)),
  )
}
