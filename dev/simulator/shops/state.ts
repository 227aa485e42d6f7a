import type { Subscription } from '../webhooks/subscriptions.ts'
import type { AccessState } from './access.ts'
import { noAccess } from './access.ts'
import type { ChangedProducts } from './catalogue.ts'
import { demoSeed } from './demo-seed.ts'
import type { DraftOrder } from './draft-orders.ts'
import { type GeneratedShop, generateSeed } from './generated-seed.ts'
import type { ChangedLocations } from './locations.ts'
import { completeOrder, type Order } from './orders.ts'
import type { Seed } from './seed.ts'
import { type ChangedLevels, noStates } from './stock.ts'

/** The stored response to a stock change, returned again for the same idempotency key. */
export type StoredResponse = { key: string; request: string; answer: string; at: number }

/** The stored state of a shop: its seed, and all differences from it. */
export type ShopState = {
  domain: string
  /** Null for the demo shop. */
  generated: GeneratedShop | null
  /** When it was opened in the simulator; its history before is computed. */
  openedAt: Date
  access: AccessState
  subscriptions: Subscription[]
  products: ChangedProducts
  levels: ChangedLevels
  locations: ChangedLocations
  /** Orders placed in the simulator, oldest first. */
  orders: Order[]
  /** Orders of the computed history that changed; null when deleted. */
  changedHistory: Map<string, Order | null>
  /** 0 while no order was deleted. */
  highestDeletedOrder: number
  drafts: DraftOrder[]
  remembered: Map<string, StoredResponse>
  /** The last id outside the catalogue. */
  counter: number
}

export function openShopState(domain: string, generated: GeneratedShop | null, openedAt: Date): ShopState {
  return {
    domain,
    generated,
    openedAt,
    access: noAccess(),
    subscriptions: [],
    products: new Map(),
    levels: new Map(),
    locations: new Map(),
    orders: [],
    changedHistory: new Map(),
    highestDeletedOrder: 0,
    drafts: [],
    remembered: new Map(),
    counter: 1_100_000_000_000,
  }
}

export const seedOf = ({ domain, generated, openedAt }: ShopState): Seed =>
  generated ? generateSeed(generated, domain, openedAt) : demoSeed(openedAt)

/** The format on disk. */
export const packShop = (state: ShopState) => ({
  ...state,
  openedAt: state.openedAt.toISOString(),
  products: [...state.products],
  levels: [...state.levels],
  locations: [...state.locations],
  changedHistory: [...state.changedHistory],
  remembered: [...state.remembered],
})

export type PackedShop = ReturnType<typeof packShop>

export const unpackShop = (packed: PackedShop): ShopState => ({
  ...packed,
  openedAt: new Date(packed.openedAt),
  products: new Map(
    packed.products.map(([number, product]) => [number, product && { ...product, tags: product.tags ?? [] }]),
  ),
  locations: new Map(packed.locations ?? []),
  // earlier versions stored fewer states
  levels: new Map(
    packed.levels.map(([key, level]) => [key, { ...noStates, ...level, changedAt: level.changedAt ?? {} }]),
  ),
  orders: packed.orders.map(completeOrder),
  changedHistory: new Map(packed.changedHistory ?? []),
  highestDeletedOrder: packed.highestDeletedOrder ?? 0,
  drafts: packed.drafts ?? [],
  remembered: new Map(packed.remembered),
})
