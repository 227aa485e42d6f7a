import { randomUUID } from 'node:crypto'
import { orderPayload } from '../webhooks/order-payload.ts'
import type { ShopCore } from './core.ts'
import { digitsOf } from './ids.ts'
import type { SlotKey } from './numbering.ts'
import { popularVariant } from './order-history.ts'
import { fromCents, toCents } from './order-lines.ts'
import { customLine, lineId, type Order, type OrderLine, orderId, tip, variantLine } from './orders.ts'
import { instant } from './seed.ts'
import { type LevelKey, noStates, type States } from './stock.ts'
import type { LevelChange, StockChanges } from './stock-changes.ts'

/** A sold variant, a tip, or a custom item outside the catalogue. `discount` is for all units of the line. */
export type LineInput =
  | { variantId: string; quantity: number; locationId?: string; discount?: string }
  | { tip: string }
  | { title: string; price: string; quantity: number; sku?: string }

export type OrderOptions = {
  isTest?: boolean
  createdAt?: Date
  /** When another system took the order; `createdAt` by default. */
  processedAt?: Date
  /** A code that takes a percentage off every line but tips. */
  discountCode?: { code: string; percent: number }
  sourceName?: Order['sourceName']
}

export type OrderPlacing = {
  /** Places an order. Tracked stock at the source location is committed: it is no longer available. */
  placeOrder: (lines: LineInput[], options?: OrderOptions) => Order
  /**
   * Places an order of one to three lines with quantities of 1 or 2, preferring popular variants. Throws when the
   * shop has no products.
   */
  placeRandomOrder: () => Order
  /** The lines of an order, with ids from `firstIndex` on. */
  makeLines: (orderNumber: number, lines: readonly LineInput[], firstIndex: number) => OrderLine[]
  /** The levels after each line's units moved. Lines without tracked stock are left out. */
  moveUnits: (moves: readonly UnitMove[]) => LevelChange[]
}

/** Changes of states for units of a line, by its level. */
export type UnitMove = { level: LevelKey | null; by: Partial<States> }

export function createOrderPlacing(core: ShopCore, { setLevels }: StockChanges): OrderPlacing {
  const { catalogue, locations } = core

  /**
   * The location that ships: the requested one, else the primary location if it stocks the item, else the first
   * that does.
   */
  function sourceOf(item: SlotKey, requested: string | undefined): number | undefined {
    if (requested !== undefined) return core.locationIndex(requested)
    const primary = locations.findIndex(({ shipsInventory, isActive }) => shipsInventory && isActive)
    const stocked = core.stock.levelsOfItem(item).map(({ location }) => location)
    return stocked.includes(primary) ? primary : stocked[0]
  }

  function levelOf(line: LineInput): LevelKey | null {
    if (!('variantId' in line)) return null
    const found = catalogue.variant(core.variantKey(line.variantId))
    if (!found?.variant.tracked) return null
    const item = { product: found.product, slot: found.variant.itemSlot }
    const location = sourceOf(item, line.locationId)
    return location === undefined ? null : { item, location }
  }

  function moveUnits(moves: readonly UnitMove[]): LevelChange[] {
    const changes = new Map<string, LevelKey & States>()
    for (const { level, by } of moves) {
      if (!level || catalogue.variantsOfItem(level.item).length === 0) continue
      const { item, location } = level
      const key = `${item.product}.${item.slot}.${location}`
      const after = changes.get(key) ?? { ...noStates, ...core.stock.level(level), item, location }
      after.available += by.available ?? 0
      after.committed += by.committed ?? 0
      changes.set(key, after)
    }
    return [...changes.values()].map(({ item, location, available, committed }) => ({
      item,
      location,
      available,
      committed,
    }))
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
    return { ...variant, discount: fromCents(toCents(line.discount ?? '0')), source: levelOf(line) }
  }

  const makeLines: OrderPlacing['makeLines'] = (orderNumber, lines, firstIndex) =>
    lines.map((line, index) => ({ id: lineId(orderNumber, firstIndex + index), ...makeLine(line) }))

  function placeOrder(inputs: LineInput[], options: OrderOptions = {}): Order {
    const number = core.nextOrderNumber()
    const createdAt = instant(options.createdAt ?? new Date())
    const { discountCode, isTest = false, sourceName = 'web' } = options
    const lines = makeLines(number, inputs, 0)
    const order: Order = {
      id: orderId(number),
      number,
      createdAt,
      processedAt: instant(options.processedAt ?? new Date(createdAt)),
      updatedAt: createdAt,
      cancelledAt: null,
      cancelReason: null,
      isTest,
      sourceName,
      discountCode: discountCode?.code ?? null,
      lines: discountCode ? lines.map((line) => discounted(line, discountCode.percent)) : lines,
      refunds: [],
      fulfillments: [],
    }
    const eventId = randomUUID()
    const changes = moveUnits(lines.map(committing))
    core.addOrder(order)
    core.sendWebhook('ORDERS_CREATE', orderPayload(core, order), eventId)
    setLevels(changes, eventId)
    return order
  }

  return {
    placeOrder,
    makeLines,
    moveUnits,
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

/** A sale moves units from available to committed. */
export const committing = ({ source, quantity }: OrderLine): UnitMove => ({
  level: source,
  by: { available: -quantity, committed: quantity },
})

function discounted(line: OrderLine, percent: number): OrderLine {
  if (line.isTip) return line
  const value = toCents(line.price) * line.quantity - toCents(line.discount)
  return { ...line, codeDiscount: fromCents(Math.round((value * percent) / 100)) }
}
