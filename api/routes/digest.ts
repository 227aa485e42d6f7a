import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { previewDigest } from '../../shared/domain/digest/content.ts'
import { getTestDigest, sendTestDigest } from '../../shared/domain/digest/send-test.ts'
import { getDigestSettings, updateDigestSettings } from '../../shared/domain/digest/settings.ts'
import { route } from '../http/route.ts'

export const digest: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /digest', ({ db, shop }) => getDigestSettings(db, shop.id))
  route(app, 'PUT /digest', ({ db, shop, body }) => updateDigestSettings(db, shop.id, body, new Date()))
  route(app, 'GET /digest/preview', ({ db, shop }) => previewDigest(db, shop.id))
  route(app, 'GET /digest/test', ({ db, shop }) => getTestDigest(db, shop.id))
  route(app, 'POST /digest/test', ({ db, shop }) => sendTestDigest(db, shop.id, new Date()))
}
