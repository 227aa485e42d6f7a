import { startPlatform } from '../../dev/simulator/server.ts'
import { benchKeys } from './system.ts'

/** Where the platform listens, and the access token of its shop. */
export type PlatformReady = { url: string; token: string }

/**
 * The simulator as a process of its own, so that its work does not delay the measured one. Its arguments are the number
 * of products and the domain of the shop. Each product has three variants, stocked in two locations.
 */
const [products, domain = ''] = process.argv.slice(2)
const generated = { products: Number(products), variantsPerProduct: 3, locations: 2 }
const platform = await startPlatform({
  apiKey: benchKeys.PLATFORM_API_KEY,
  apiSecret: benchKeys.PLATFORM_API_SECRET,
  serverToken: benchKeys.POSTMARK_SERVER_TOKEN,
  shops: [{ domain, generated }],
  // the cost limit would be the slowest part
  throttle: { maximum: 1_000_000_000, restoreRate: 1_000_000_000 },
})
process.send?.({ url: platform.url, token: platform.shops.get(domain).install() } satisfies PlatformReady)
process.once('disconnect', () => process.exit())
