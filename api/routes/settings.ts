import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { getSettings, updateSettings } from '../../shared/domain/shops/settings.ts'
import { ok } from '../http/envelope.ts'
import { route } from '../http/route.ts'

export const settings: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /settings', async ({ db, shop }) => ok(await getSettings(db, shop.id)))

  route(app, 'PUT /settings', async ({ db, shop, body }) => ok(await updateSettings(db, shop.id, body)))
}
