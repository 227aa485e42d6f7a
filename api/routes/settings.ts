import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSettings, updateSettings } from '../../shared/domain/shops/settings.ts'
import { route } from '../http/route.ts'

export const settings: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /settings', ({ db, shop }) => getSettings(db, shop.id))
  route(app, 'PUT /settings', ({ db, shop, body }) => updateSettings(db, shop.id, body))
}
