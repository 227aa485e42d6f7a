import type { FastifyInstance } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { findInstalledShop } from '../../shared/domain/records/shops/shops.ts'
import { html } from '../../shared/html.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { sendAdminPage } from './admin-page.ts'
import { sendPage } from './page.ts'
import { readWebBuild } from './web-files.ts'

type Query = { shop?: unknown; embedded?: unknown }

/** The first path segments of the admin's pages (`web/src/router.tsx`). All serve the same HTML page. */
const sections = [
  'purchase-orders',
  'suppliers',
  'returns',
  'stock',
  'variants',
  'receipts',
  'replenishment',
  'buying-budgets',
  'transfers',
  'counts',
  'reorder',
  'demand-events',
  'reports',
  'alerts',
  'settings',
  'sync',
  'imports',
]
const paths = ['/', ...sections.flatMap((section) => [`/${section}`, `/${section}/*`])]

/** The pages that the platform opens. For a shop that has not installed the app they start the installation. */
export async function home(app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const cipher = createTokenCipher(config)

  /** False also when the platform has revoked the access token or it cannot be decrypted: then the shop must reinstall. */
  async function canServe(shopDomain: string): Promise<boolean> {
    const shop = await findInstalledShop(app.db, shopDomain)
    return shop !== null && !shop.isRevoked && cipher.canOpen(shop.accessToken, shop.domain)
  }

  for (const path of paths) {
    app.get<{ Querystring: Query }>(path, { schema: { hide: true } }, async ({ query, headers }, reply) => {
      const shopDomain = parseShopDomain(query.shop, config.PLATFORM_SHOP_DOMAIN_SUFFIX)
      if (!shopDomain) {
        const content = html`<p>Open the app from your shop admin, so that it knows your shop.</p>`
        return sendPage(reply, { status: 400, title: 'Quartermaster', content })
      }
      const frameAncestors = platformAddress(config, 'PLATFORM_FRAME_ANCESTORS', shopDomain)
      if (await canServe(shopDomain)) {
        // read each time: the file is small, and a new build takes effect without a restart
        const build = await readWebBuild()
        if (build) return sendAdminPage(reply, config, shopDomain, build)
        const content = html`<p>The admin is not built yet. Run <code>npm run build</code>, then load this page again.</p>`
        return sendPage(reply, { status: 503, title: 'Quartermaster', content, frameAncestors })
      }
      const start = `/auth?${new URLSearchParams({ shop: shopDomain })}`
      const isFramed = query.embedded === '1' || headers['sec-fetch-dest'] === 'iframe'
      if (!isFramed) return reply.header('cache-control', 'no-store').redirect(start, 302)
      const content = html`<p><a id="leave" href="${start}" target="_top">Install Quartermaster</a> to continue.</p>
<script src="/leave-frame.js"></script>`
      return sendPage(reply, { status: 200, title: 'Quartermaster', content, frameAncestors })
    })
  }
}
