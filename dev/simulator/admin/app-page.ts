import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { html } from '../../../shared/html.ts'
import { ShopParams } from '../shops/domain.ts'
import type { Shop } from '../shops/shop.ts'
import { type AdminOptions, sendMissing, sendShopPage, withShop } from './layout.ts'

const PageParams = Type.Composite([
  ShopParams,
  Type.Object({ apiKey: Type.String(), '*': Type.Optional(Type.String()) }),
])

/**
 * The page of the shop admin that shows the app in a frame. The rest of the address is the app's own path, so that
 * a link opens a page of the app.
 */
export function addAppPage(app: FastifyInstance, { shops, apiKey, appUrl }: AdminOptions) {
  // a short address for people
  app.get<{ Params: { shop: string } }>(
    '/shops/:shop/admin',
    { schema: { params: ShopParams } },
    async (request, reply) =>
      withShop(shops, request, reply, (shop) => reply.redirect(`/shops/${shop.domain}/admin/apps/${apiKey}`)),
  )

  for (const suffix of ['', '/*']) {
    app.get<{ Params: { shop: string; apiKey: string; '*'?: string } }>(
      `/shops/:shop/admin/apps/:apiKey${suffix}`,
      { schema: { params: PageParams } },
      async (request, reply) =>
        withShop(shops, request, reply, (shop) => {
          if (request.params.apiKey !== apiKey) return sendMissing(reply, 'This shop has no such app.')
          const url = appUrl()
          if (!shop.access.isInstalled()) {
            const content = html`<p>The app is not installed. <a href="/shops/${shop.domain}">Open the shop</a></p>`
            return sendShopPage(reply, shop, 'Quartermaster', content)
          }
          if (url === undefined)
            return sendShopPage(reply, shop, 'Quartermaster', html`<p>Quartermaster is installed.</p>`)
          return sendFrame(reply, shop, url + pathOf(request), apiKey)
        }),
    )
  }
}

/** The app's own path and query string in an address of the shop admin. */
const pathOf = ({ params, url }: { params: { '*'?: string }; url: string }) =>
  `/${params['*'] ?? ''}${new URL(url, 'http://localhost').search}`

function sendFrame(reply: FastifyReply, shop: Shop, address: string, apiKey: string): FastifyReply {
  const url = new URL(address)
  const host = Buffer.from(`${shop.domain}/admin`).toString('base64').replace(/=+$/, '')
  const platform = { shop: shop.domain, host, embedded: '1', locale: 'en-GB' }
  for (const [name, value] of Object.entries(platform)) url.searchParams.set(name, value)
  const base = `/shops/${shop.domain}/admin/apps/${apiKey}`
  const content = html`<iframe class="app" title="Quartermaster" src="${url.href}"
data-shop="${shop.domain}" data-base="${base}" data-admin="/shops/${shop.domain}/admin"></iframe>
<script src="/admin-frame.js"></script>`
  return sendShopPage(reply, shop, 'Quartermaster', content, { frames: [url.origin] })
}
