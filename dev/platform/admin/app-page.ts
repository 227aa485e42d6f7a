import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { html } from '../../../shared/html.ts'
import { ShopParams } from '../shops/domain.ts'
import { type AdminOptions, sendMissing, sendShopPage, withShop } from './layout.ts'

/** Where a merchant is with the app: a page of the shop admin, with the app in a frame. */
export function addAppPage(app: FastifyInstance, { shops, apiKey, appUrl }: AdminOptions) {
  const params = Type.Composite([ShopParams, Type.Object({ apiKey: Type.String() })])

  app.get<{ Params: { shop: string; apiKey: string } }>(
    '/shops/:shop/admin/apps/:apiKey',
    { schema: { params } },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) => {
        if (request.params.apiKey !== apiKey) return sendMissing(reply, 'This shop knows no such app.')
        if (!shop.access.isInstalled()) {
          const content = html`<p>The app is not installed. <a href="/shops/${shop.domain}">To the shop</a></p>`
          return sendShopPage(reply, shop, 'Quartermaster', content)
        }
        const url = appUrl()
        if (url === undefined)
          return sendShopPage(reply, shop, 'Quartermaster', html`<p>Quartermaster is installed.</p>`)
        const host = Buffer.from(`${shop.domain}/admin`).toString('base64').replace(/=+$/, '')
        const query = new URLSearchParams({ shop: shop.domain, host, embedded: '1' })
        const content = html`<p class="faint">Quartermaster is installed. Below is what it shows in the admin.</p>
<iframe class="app" title="Quartermaster" src="${url}/?${query.toString()}"></iframe>`
        return sendShopPage(reply, shop, 'Quartermaster', content, { frames: [new URL(url).origin] })
      }),
  )
}
