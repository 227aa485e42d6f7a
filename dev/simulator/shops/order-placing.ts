import { randomUUID } from 'node:crypto'
import { orderPayload } from '../webhooks/order-payload.ts'
import type { ShopCore } from './core.ts'
import { digitsOf } from './ids.ts'
import type { SlotKey } from './numbering.ts'
import {
  customLine,
  lineId,
  type Order,
  type OrderLine,
  orderId,
  popularVariant,
  tip,
  variantLine,
} from './orders.ts'
import { instant } from './seed.ts'
import type { LevelChange, StockChanges } from './stock-changes.ts'

/** A sold variant, a tip, or a custom item outside the catalogue. */
export type LineInput =
  | { variantId: string; quantity: number; locationId?: string }
  | { tip: string }
  | { title: string; price: string; quantity: number; sku?: string }

export type OrderOptions = { isTest?: boolean; cancelledAt?: Date; createdAt?: Date }

export type OrderPlacing = {
  /** Places an order and reduces tracked stock at the source location. */
  placeOrder: (lines: LineInput[], options?: OrderOptions) => Order
  /**
   * Places an order of one to three lines with quantities of 1 or 2, preferring popular variants. Throws when the
   * shop has no products.
   */
  placeRandomOrder: () => Order
}

export function createOrderPlacing(core: ShopCore, { setLevels }: StockChanges): OrderPlacing {
  const { catalogue, locations } = core

  const primary = Math.max(
    0,
    locations.findIndex(({ shipsInventory }) => shipsInventory),
  )

  /**
   * The location that ships: the requested one, else the primary location if it stocks the item, else the first
   * that does.
   */
  function sourceOf(item: SlotKey, requested: string | undefined): number | undefined {
    if (requested !== undefined) return core.locationIndex(requested)
    const stocked = core.stock.levelsOfItem(item).map(({ location }) => location)
    return stocked.includes(primary) ? primary : stocked[0]
  }

  function changesFor(lines: LineInput[]): LevelChange[] {
    const sold = new Map<string, LevelChange & { available: number; committed: number }>()
    for (const line of lines) {
      if (!('variantId' in line)) continue
      const found = catalogue.variant(core.variantKey(line.variantId))
      if (!found?.variant.tracked) continue
      const item = { product: found.product, slot: found.variant.itemSlot }
      const location = sourceOf(item, line.locationId)
      if (location === undefined) continue
      const key = `${item.product}.${item.slot}.${location}`
      const level = core.stock.level({ item, location })
      const before = sold.get(key) ?? {
        item,
        location,
        available: level?.available ?? 0,
        committed: level?.committed ?? 0,
      }
      const available = before.available - line.quantity
      sold.set(key, { ...before, available, committed: before.committed + line.quantity })
    }
    return [...sold.values()]
  }

  function makeLine(line: LineInput): Omit<OrderLine, 'id'> {
    if ('tip' in line) return tip(line.tip)
    if ('title' in line)
      return { ...customLine(line.title, line.price, line.quantity), sku: line.sku ?? null }
    const variant = variantLine(
      catalogue,
      digitsOf(core.namespace, 'ProductVariant', line.variantId),
      line.quantity,
    )
    if (!variant) throw new Error(`${core.domain} has no variant ${line.variantId}`)
    return variant
  }

  function placeOrder(lines: LineInput[], options: OrderOptions = {}): Order {
    const number = (core.orders().at(-1)?.number ?? 1000) + 1
    const createdAt = instant(options.createdAt ?? new Date())
    const order: Order = {
      id: orderId(number),
      number,
      createdAt,
      updatedAt: createdAt,
      cancelledAt: options.cancelledAt ? instant(options.cancelledAt) : null,
      isTest: options.isTest ?? false,
      lines: lines.map((line, index) => ({ id: lineId(number, index), ...makeLine(line) })),
    }
    const eventId = randomUUID()
    const changes = changesFor(lines)
    core.addOrder(order)
    core.sendWebhook('ORDERS_CREATE', orderPayload(core, order), eventId)
    setLevels(changes, eventId)
    return order
  }

  return {
    placeOrder,
    placeRandomOrder() {
      const seed = Math.floor(Math.random() * 2 ** 31)
      const count = 1 + (seed % 3)
      const ids = Array.from({ length: count }, (_, index) =>
        popularVariant(core.seed, catalogue, seed, index),
      )
      const existing = ids.filter((id) => variantLine(catalogue, id, 1) !== undefined)
      if (existing.length === 0) throw new Error(`${core.domain} has nothing to sell`)
      return placeOrder(
        existing.map((variantId, index) => ({ variantId, quantity: 1 + ((seed >> index) % 2) })),
      )
    },
  }
}
