import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sampleDocument } from '../../shared/domain/mail-templates/sample-order.ts'
import { getLogoFile, readLogo, removeLogo, saveLogo } from '../../shared/domain/shops/logo.ts'
import { getSettings, updateSettings } from '../../shared/domain/shops/settings.ts'
import { fileHeaders } from '../http/file-headers.ts'
import { route } from '../http/route.ts'

export const settings: FastifyPluginAsyncTypebox = async (app) => {
  route(app, 'GET /settings', ({ db, shop }) => getSettings(db, shop.id))
  route(app, 'PUT /settings', ({ db, shop, body }) => updateSettings(db, shop.id, body))
  route(app, 'POST /settings/logo', ({ db, shop, actor, body }) => saveLogo(db, shop.id, actor, body))
  route(app, 'DELETE /settings/logo', ({ db, shop }) => removeLogo(db, shop.id))
  // the address stays when the logo changes, so a browser asks each time
  route(app, 'GET /settings/logo/file', async ({ db, shop }, reply) => {
    const { sha256, bytes } = await getLogoFile(db, shop.id)
    return reply
      .type('image/png')
      .headers({ ...fileHeaders('logo.png', sha256), 'cache-control': 'private, no-cache' })
      .send(bytes)
  })
  route(app, 'GET /settings/sample-order.pdf', async ({ db, shop, signal }, reply) => {
    const order = sampleDocument(await getSettings(db, shop.id))
    return reply
      .type('application/pdf')
      .header('content-disposition', 'inline; filename="sample-order.pdf"')
      .send(await app.pdf.render(order, { signal, logo: await readLogo(db, shop.id, order) }))
  })
}
