import type { Subscription } from '../webhooks/subscriptions.ts'
import type { AccessState } from './access.ts'
import { noAccess } from './access.ts'
import type { ChangedProducts } from './catalogue.ts'
import { demoSeed } from './demo-seed.ts'
import { type GeneratedShop, generateSeed } from './generated-seed.ts'
import type { Order } from './orders.ts'
import type { Seed } from './seed.ts'
import type { ChangedLevels } from './stock.ts'

/** What a change of stock was answered, to be answered again to the same idempotency key. */
export type Remembered = { key: string; request: string; answer: string; at: number }

/** What is kept of a shop: how it began, and what is different since. */
export type ShopState = {
  domain: string
  /** The demo shop when nothing is said. */
  generated: GeneratedShop | null
  /** When it was opened here; everything before is computed from it. */
  openedAt: Date
  access: AccessState
  subscriptions: Subscription[]
  products: ChangedProducts
  levels: ChangedLevels
  /** Those that were placed here, oldest first. */
  orders: Order[]
  remembered: Map<string, Remembered>
  /** For ids of what is not in the catalogue. */
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
    orders: [],
    remembered: new Map(),
    counter: 1_100_000_000_000,
  }
}

export const seedOf = ({ domain, generated, openedAt }: ShopState): Seed =>
  generated ? generateSeed(generated, domain, openedAt) : demoSeed(openedAt)

/** As it is written to disk. */
export const packShop = (state: ShopState) => ({
  ...state,
  openedAt: state.openedAt.toISOString(),
  products: [...state.products],
  levels: [...state.levels],
  remembered: [...state.remembered],
})

export type PackedShop = ReturnType<typeof packShop>

export const unpackShop = (packed: PackedShop): ShopState => ({
  ...packed,
  openedAt: new Date(packed.openedAt),
  products: new Map(packed.products),
  levels: new Map(packed.levels),
  remembered: new Map(packed.remembered),
})
