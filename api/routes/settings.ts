import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { updateSettings } from '../../shared/domain/ledgers/cost-pushes/update-settings.ts'
import { sampleDocument } from '../../shared/domain/records/mail-templates/sample-order.ts'
import { getLogoFile, readLogo, removeLogo, saveLogo } from '../../shared/domain/records/shops/logo.ts'
import { getSettings } from '../../shared/domain/records/shops/settings.ts'
import { fileHeaders } from '../http/file-headers.ts'
import { route, serve } from '../http/route.ts'

export const settings: FastifyPluginAsyncTypebox = async (app) => {
  serve(app, 'GET /settings', getSettings)
  serve(app, 'PUT /settings', updateSettings, 'body')
  serve(app, 'POST /settings/logo', saveLogo, 'actor', 'body')
  serve(app, 'DELETE /settings/logo', removeLogo)
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
