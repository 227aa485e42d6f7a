import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listLocations } from '../../shared/domain/records/catalogue/locations.ts'
import { serve } from '../http/route.ts'

export const locations: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'GET /locations', listLocations)
}
