import { randomUUID } from 'node:crypto'
import { orderPayload } from '../webhooks/order-payload.ts'
import type { ShopCore } from './core.ts'
import { digitsOf } from './ids.ts'
import type { Place } from './numbering.ts'
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

/** A variant that is sold, a tip, or an item that is in no catalogue. */
export type LineInput =
  | { variantId: string; quantity: number; locationId?: string }
  | { tip: string }
  | { title: string; price: string; quantity: number; sku?: string }

export type OrderOptions = { isTest?: boolean; cancelledAt?: Date; createdAt?: Date }

export type OrderPlacing = {
  /** Sells: stock that is counted goes down where it is taken from. */
  placeOrder: (lines: LineInput[], options?: OrderOptions) => Order
  /** One to three lines of one or two each, of what sells well. Throws when the shop has no goods. */
  placeRandomOrder: () => Order
}

export function createOrderPlacing(core: ShopCore, { setLevels }: StockChanges): OrderPlacing {
  const { catalogue, locations } = core

  const primary = Math.max(
    0,
    locations.findIndex(({ shipsInventory }) => shipsInventory),
  )

  /** Where it is taken from: as asked, else the primary location when it stocks it, else the first that does. */
  function sourceOf(item: Place, wanted: string | undefined): number | undefined {
    if (wanted !== undefined) return core.locationIndex(wanted)
    const stocked = core.stock.levelsOfItem(item).map(({ location }) => location)
    return stocked.includes(primary) ? primary : stocked[0]
  }

  function changesFor(lines: LineInput[]): LevelChange[] {
    const sold = new Map<string, LevelChange & { available: number; committed: number }>()
    for (const line of lines) {
      if (!('variantId' in line)) continue
      const found = catalogue.variant(core.variantPlace(line.variantId))
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
    const made = variantLine(
      catalogue,
      digitsOf(core.namespace, 'ProductVariant', line.variantId),
      line.quantity,
    )
    if (!made) throw new Error(`${core.domain} has no variant ${line.variantId}`)
    return made
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
    core.tell('ORDERS_CREATE', orderPayload(core, order), eventId)
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
      const known = ids.filter((id) => variantLine(catalogue, id, 1) !== undefined)
      if (known.length === 0) throw new Error(`${core.domain} has nothing to sell`)
      return placeOrder(known.map((variantId, index) => ({ variantId, quantity: 1 + ((seed >> index) % 2) })))
    },
  }
}
