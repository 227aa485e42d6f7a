import type { Deliveries } from '../webhooks/deliveries.ts'
import type { ShopServices } from './core.ts'
import { isShopDomain } from './domain.ts'
import type { GeneratedShop } from './generated-seed.ts'
import { createShop, type Shop } from './shop.ts'
import { openShopState, type ShopState } from './state.ts'

export type ShopOptions = {
  /** For example demo.myshop.example. */
  domain: string
  /** A generated shop; without it, the demo shop's products. */
  generated?: GeneratedShop
}

export type Shops = {
  /** Throws when the shop does not exist. */
  get: (domain: string) => Shop
  find: (domain: string) => Shop | undefined
  all: () => Shop[]
  /** Opens a shop, or returns it unchanged when it exists. */
  add: (options: ShopOptions) => Shop
  states: () => ShopState[]
}

type ShopsOptions = { stored: ShopState[]; services: ShopServices; deliveries: Deliveries; openedAt: Date }

export function createShops({ stored, services, deliveries, openedAt }: ShopsOptions): Shops {
  const shops = new Map<string, Shop>()
  const put = (state: ShopState) => {
    const shop = createShop(state, services, deliveries)
    shops.set(state.domain, shop)
    return shop
  }
  for (const state of stored) put(state)

  return {
    get(domain) {
      const shop = shops.get(domain)
      if (!shop) throw new Error(`The simulator has no shop ${domain}`)
      return shop
    },
    find: (domain) => shops.get(domain),
    all: () => [...shops.values()],
    add({ domain, generated }) {
      if (!isShopDomain(domain)) throw new Error(`Not the domain of a shop: ${domain}`)
      const open = shops.get(domain)
      if (open) return open
      services.changed()
      return put(openShopState(domain, generated ?? null, openedAt))
    },
    states: () => [...shops.values()].map(({ state }) => state),
  }
}
