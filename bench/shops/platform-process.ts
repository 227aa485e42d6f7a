import { startPlatform } from '../../dev/simulator/server.ts'
import { benchKeys } from '../support/system.ts'
import type { ShopSize } from './sizes.ts'

export type PlatformOfShops = { url: string; tokens: Record<string, string> }

export type StockSet = { domain: string; variantGid: string; locationGid: string; available: number }

/**
 * The simulator in a separate process. The parent process sends its shops, gets their access tokens, and then sends each
 * quantity that a webhook names. When the platform answers another quantity, the worker reads the level again, up to 18 times.
 */
process.once('message', async (shops: readonly { domain: string; size: ShopSize }[]) => {
  const platform = await startPlatform({
    apiKey: benchKeys.PLATFORM_API_KEY,
    apiSecret: benchKeys.PLATFORM_API_SECRET,
    serverToken: benchKeys.POSTMARK_SERVER_TOKEN,
    shops: shops.map(({ domain, size: { products, pastOrdersPerDay } }) => ({
      domain,
      generated: {
        ...{ products, variantsPerProduct: 2, locations: 2 },
        ...{ ordersPerDay: pastOrdersPerDay, orderDays: 60 },
      },
    })),
    // the real limit is one of each shop, so it is no limit of the system
    throttle: { maximum: 1_000_000_000, restoreRate: 1_000_000_000 },
  })
  const tokens = Object.fromEntries(shops.map(({ domain }) => [domain, platform.shops.get(domain).install()]))
  process.on('message', ({ domain, variantGid, locationGid, available }: StockSet) =>
    platform.shops.get(domain).setStock(variantGid, locationGid, available),
  )
  process.send?.({ url: platform.url, tokens } satisfies PlatformOfShops)
})
process.once('disconnect', () => process.exit())
