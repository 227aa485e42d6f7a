import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { previewDigest } from '../../shared/domain/views/digest/content.ts'
import { getTestDigest, sendTestDigest } from '../../shared/domain/views/digest/send-test.ts'
import { getDigestSettings, updateDigestSettings } from '../../shared/domain/views/digest/settings.ts'
import { route, serve } from '../http/route.ts'

export const digest: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'GET /digest', getDigestSettings)
  route(app, 'PUT /digest', ({ db, shop, body }) => updateDigestSettings(db, shop.id, body, new Date()))
  serve(app, 'GET /digest/preview', previewDigest)
  serve(app, 'GET /digest/test', getTestDigest)
  route(app, 'POST /digest/test', ({ db, shop }) => sendTestDigest(db, shop.id, new Date()))
}
