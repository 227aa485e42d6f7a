import { randomUUID } from 'node:crypto'
import { levelPayload } from '../webhooks/shop-payloads.ts'
import type { ShopCore } from './core.ts'
import type { Level, LevelKey } from './stock.ts'

export type LevelChange = LevelKey & Partial<Pick<Level, 'available' | 'committed'>>

export type StockChanges = {
  /** Sets several levels as one action. Activates a level that does not exist first. */
  setLevels: (changes: LevelChange[], eventId?: string) => void
  /** Sets the available quantity, as the merchant does. */
  setStock: (variantId: string, locationId: string, available: number) => void
  adjustStock: (variantId: string, locationId: string, delta: number) => void
  /** The available quantity; `undefined` when the variant is not stocked there. */
  stockOf: (variantId: string, locationId: string) => number | undefined
}

export function createStockChanges(core: ShopCore): StockChanges {
  const { catalogue, stock, locations } = core

  function setLevels(changes: LevelChange[], eventId: string = randomUUID()): void {
    for (const { item, location, ...quantities } of changes) {
      const locationFacts = locations[location]
      const [user] = catalogue.variantsOfItem(item)
      if (!locationFacts || !user) throw new Error('The item or the location does not exist')
      const isNew = stock.level({ item, location }) === undefined
      const level = stock.set({ item, location }, quantities)
      const itemId = catalogue.itemId(item.product, item.slot)
      const payload = levelPayload(core, {
        itemId,
        location: locationFacts,
        level,
        tracked: user.variant.tracked,
      })
      if (isNew) core.sendWebhook('INVENTORY_LEVELS_CONNECT', payload, eventId)
      core.sendWebhook('INVENTORY_LEVELS_UPDATE', payload, eventId)
    }
    core.changed()
  }

  function levelKey(variantId: string, locationId: string): LevelKey {
    const key = core.variantKey(variantId)
    const slot = catalogue.variant(key)?.variant.itemSlot ?? key.slot
    return { item: { product: key.product, slot }, location: core.locationIndex(locationId) }
  }

  const stockOf = (variantId: string, locationId: string) =>
    stock.level(levelKey(variantId, locationId))?.available

  return {
    setLevels,
    stockOf,
    setStock: (variantId, locationId, available) =>
      setLevels([{ ...levelKey(variantId, locationId), available }]),
    adjustStock: (variantId, locationId, delta) =>
      setLevels([
        { ...levelKey(variantId, locationId), available: (stockOf(variantId, locationId) ?? 0) + delta },
      ]),
  }
}
