import type { FastifyInstance } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { findInstalledShop } from '../../shared/domain/shops.ts'
import { html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { sendPage } from '../page.ts'

type Query = { shop?: unknown; embedded?: unknown }

/** Where the platform opens the app: for a shop that has not installed it yet, the installation begins. */
export async function home(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const cipher = createTokenCipher(config)

  /** A shop whose token is refused, or cannot be opened any more, installs the app again. */
  async function canServe(shopDomain: string): Promise<boolean> {
    const shop = await findInstalledShop(app.db, shopDomain)
    return shop !== null && !shop.isRevoked && cipher.canOpen(shop.accessToken, shop.domain)
  }

  app.get<{ Querystring: Query }>('/', { schema: { hide: true } }, async ({ query, headers }, reply) => {
    const shopDomain = parseShopDomain(query.shop, config.PLATFORM_SHOP_DOMAIN_SUFFIX)
    if (!shopDomain) {
      const content = html`<p>Open the app from your shop admin: it knows which shop is yours.</p>`
      return sendPage(reply, { status: 400, title: 'Quartermaster', content })
    }
    const frameAncestors = platformAddress(config, 'PLATFORM_FRAME_ANCESTORS', shopDomain)
    if (await canServe(shopDomain)) {
      const content = html`<p>The app is installed in ${shopDomain}. Its API is described <a href="/docs" target="_blank" rel="noopener">here</a>.</p>`
      return sendPage(reply, { status: 200, title: 'Quartermaster', content, frameAncestors })
    }
    const start = `/auth?${new URLSearchParams({ shop: shopDomain })}`
    const isFramed = query.embedded === '1' || headers['sec-fetch-dest'] === 'iframe'
    if (!isFramed) return reply.header('cache-control', 'no-store').redirect(start, 302)
    const content = html`<p><a id="leave" href="${start}" target="_top">Install Quartermaster</a> to go on.</p>
<script src="/leave-frame.js"></script>`
    return sendPage(reply, { status: 200, title: 'Quartermaster', content, frameAncestors })
  })
}
