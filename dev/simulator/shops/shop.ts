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
import { createDraftOrders, type DraftOrders } from './draft-orders.ts'
import { createLocationChanges, type LocationChanges } from './location-changes.ts'
import { createOrderChanges, type OrderChanges } from './order-changes.ts'
import { createOrderPlacing, type OrderPlacing } from './order-placing.ts'
import { createProductChanges, type ProductChanges } from './product-changes.ts'
import { compressScopes } from './scopes.ts'
import type { ShopState } from './state.ts'
import { createStockChanges, type StockChanges } from './stock-changes.ts'

/** A shop with the actions of its merchant, customers and platform. Ids are full ids or their digits. */
export type Shop = ShopCore &
  StockChanges &
  ProductChanges &
  LocationChanges &
  OrderPlacing &
  OrderChanges &
  DraftOrders & {
    /** Installs the app without consent. Returns an access token. */
    install: (scopes?: string[]) => string
    /** Sends app/uninstalled, then deletes tokens and subscriptions. */
    uninstall: () => void
    sendCompliance: (topic: ComplianceTopic, details?: ComplianceDetails) => void
    subscriptions: () => readonly Subscription[]
    /** The valid access tokens. */
    tokens: () => string[]
    /** The webhooks of the shop, oldest first. */
    deliveries: () => Delivery[]
    /** Sends a delivery again, with the same webhook id. */
    resend: (deliveryId: string) => void
    /** Sends `count` webhooks: random orders, or updates of unchanged products or levels. */
    deliver: (topic: 'ORDERS_CREATE' | 'PRODUCTS_UPDATE' | 'INVENTORY_LEVELS_UPDATE', count: number) => void
  }

const allScopes = 'read_products,read_inventory,write_inventory,read_locations,read_orders'

export function createShop(state: ShopState, services: ShopServices, deliveries: Deliveries): Shop {
  const core = createCore(state, services)
  const stockChanges = createStockChanges(core)
  const products = createProductChanges(core)
  const orders = createOrderPlacing(core, stockChanges)

  function sendLevels(count: number): void {
    for (let index = 0, sent = 0; sent < count; index += 1) {
      const product = index % core.catalogue.end()
      for (const variant of core.catalogue.product(product)?.variants ?? []) {
        const itemId = core.catalogue.itemId(product, variant.itemSlot)
        for (const { location, level } of core.stock.levelsOfItem({ product, slot: variant.itemSlot })) {
          const locationFacts = core.locations[location]
          if (!locationFacts || sent >= count) continue
          sent += 1
          const payload = levelPayload(core, {
            itemId,
            location: locationFacts,
            level,
            tracked: variant.tracked,
          })
          core.sendWebhook('INVENTORY_LEVELS_UPDATE', payload)
        }
      }
      if (product === core.catalogue.end() - 1 && sent === 0) throw new Error('This shop has no stock')
    }
  }

  return {
    ...core,
    ...stockChanges,
    ...products,
    ...createLocationChanges(core),
    ...orders,
    ...createOrderChanges(core, stockChanges, orders),
    ...createDraftOrders(core, orders),
    install(scopes = allScopes.split(',')) {
      const token = core.access.exchangeCode(core.access.issueCode(compressScopes(scopes)), false)
      if (!token) throw new Error('A new code must be valid')
      return token.access_token
    },
    uninstall() {
      const primary = core.locations.find(({ shipsInventory }) => shipsInventory)
      core.sendWebhook('APP_UNINSTALLED', uninstalledPayload(core.facts, primary))
      state.subscriptions = []
      core.access.revokeAll()
    },
    sendCompliance: (topic, details = {}) =>
      core.sendComplianceWebhook(topic, compliancePayload(topic, core, details)),
    subscriptions: () => state.subscriptions,
    tokens: core.access.tokens,
    deliveries: () => deliveries.of(state.domain),
    resend: (id) => deliveries.resend(id),
    deliver(topic, count) {
      if (topic === 'INVENTORY_LEVELS_UPDATE') return sendLevels(count)
      for (let index = 0; index < count; index += 1) {
        if (topic === 'ORDERS_CREATE') orders.placeRandomOrder()
        else products.touchProduct(index % core.catalogue.end())
      }
    },
  }
}
