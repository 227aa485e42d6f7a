import type { Deliveries } from '../webhooks/deliveries.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import {
  type ComplianceDetails,
  compliancePayload,
  levelPayload,
  uninstalledPayload,
} from '../webhooks/shop-payloads.ts'
import type { Subscription } from '../webhooks/subscriptions.ts'
import type { ComplianceTopic } from '../webhooks/topics.ts'
import { createCore, type ShopCore, type ShopServices } from './core.ts'
import { createOrderPlacing, type OrderPlacing } from './order-placing.ts'
import { createProductChanges, type ProductChanges } from './product-changes.ts'
import { compressScopes } from './scopes.ts'
import type { ShopState } from './state.ts'
import { createStockChanges, type StockChanges } from './stock-changes.ts'

/** One shop, and what a merchant, a customer or the platform can do in it. Ids are whole ones or their digits. */
export type Shop = ShopCore &
  StockChanges &
  ProductChanges &
  OrderPlacing & {
    /** Installs the app without asking anybody. Answers an access token. */
    install: (scopes?: string[]) => string
    /** Ends the tokens and the subscriptions, and tells the app so. */
    uninstall: () => void
    sendCompliance: (topic: ComplianceTopic, details?: ComplianceDetails) => void
    subscriptions: () => readonly Subscription[]
    /** The access tokens that are good now. */
    tokens: () => string[]
    /** What was told to the app, oldest first. */
    deliveries: () => Delivery[]
    /** Sends a delivery again, with the same webhook id. */
    resend: (deliveryId: string) => void
    /** So many events at once: random orders, or news of products or levels that have not changed. */
    deliver: (topic: 'ORDERS_CREATE' | 'PRODUCTS_UPDATE' | 'INVENTORY_LEVELS_UPDATE', count: number) => void
  }

const everything = 'read_products,read_inventory,write_inventory,read_locations,read_orders'

export function createShop(state: ShopState, services: ShopServices, deliveries: Deliveries): Shop {
  const core = createCore(state, services)
  const stockChanges = createStockChanges(core)
  const products = createProductChanges(core)
  const orders = createOrderPlacing(core, stockChanges)

  function tellLevels(count: number): void {
    for (let index = 0, told = 0; told < count; index += 1) {
      const product = index % core.catalogue.end()
      for (const variant of core.catalogue.product(product)?.variants ?? []) {
        const itemId = core.catalogue.itemId(product, variant.itemSlot)
        for (const { location, level } of core.stock.levelsOfItem({ product, slot: variant.itemSlot })) {
          const place = core.locations[location]
          if (!place || told >= count) continue
          told += 1
          const payload = levelPayload(core, { itemId, location: place, level, tracked: variant.tracked })
          core.tell('INVENTORY_LEVELS_UPDATE', payload)
        }
      }
      if (product === core.catalogue.end() - 1 && told === 0) throw new Error('This shop has no stock')
    }
  }

  return {
    ...core,
    ...stockChanges,
    ...products,
    ...orders,
    install(scopes = everything.split(',')) {
      const token = core.access.exchangeCode(core.access.issueCode(compressScopes(scopes)), false)
      if (!token) throw new Error('A fresh code is good')
      return token.access_token
    },
    uninstall() {
      const primary = core.locations.find(({ shipsInventory }) => shipsInventory)
      core.tell('APP_UNINSTALLED', uninstalledPayload(core.facts, primary))
      state.subscriptions = []
      core.access.revokeAll()
    },
    sendCompliance: (topic, details = {}) => core.tellApp(topic, compliancePayload(topic, core, details)),
    subscriptions: () => state.subscriptions,
    tokens: core.access.tokens,
    deliveries: () => deliveries.of(state.domain),
    resend: (id) => deliveries.resend(id),
    deliver(topic, count) {
      if (topic === 'INVENTORY_LEVELS_UPDATE') return tellLevels(count)
      for (let index = 0; index < count; index += 1) {
        if (topic === 'ORDERS_CREATE') orders.placeRandomOrder()
        else products.touchProduct(index % core.catalogue.end())
      }
    },
  }
}
