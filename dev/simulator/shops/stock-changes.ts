import { randomUUID } from 'node:crypto'
import { levelPayload } from '../webhooks/shop-payloads.ts'
import type { ShopCore } from './core.ts'
import type { Level, LevelPlace } from './stock.ts'

export type LevelChange = LevelPlace & Partial<Pick<Level, 'available' | 'committed'>>

export type StockChanges = {
  /** Sets several levels as one action. A level that is not there is connected first. */
  setLevels: (changes: LevelChange[], eventId?: string) => void
  /** What is available of a variant at a location, by the merchant's hand. */
  setStock: (variantId: string, locationId: string, available: number) => void
  adjustStock: (variantId: string, locationId: string, delta: number) => void
  /** What is available; `undefined` when it is not stocked there. */
  stockOf: (variantId: string, locationId: string) => number | undefined
}

export function createStockChanges(core: ShopCore): StockChanges {
  const { catalogue, stock, locations } = core

  function setLevels(changes: LevelChange[], eventId: string = randomUUID()): void {
    for (const { item, location, ...quantities } of changes) {
      const place = locations[location]
      const [user] = catalogue.variantsOfItem(item)
      if (!place || !user) throw new Error('No such item or location')
      const isNew = stock.level({ item, location }) === undefined
      const level = stock.set({ item, location }, quantities)
      const itemId = catalogue.itemId(item.product, item.slot)
      const payload = levelPayload(core, { itemId, location: place, level, tracked: user.variant.tracked })
      if (isNew) core.tell('INVENTORY_LEVELS_CONNECT', payload, eventId)
      core.tell('INVENTORY_LEVELS_UPDATE', payload, eventId)
    }
    core.changed()
  }

  function placeOf(variantId: string, locationId: string): LevelPlace {
    const place = core.variantPlace(variantId)
    const slot = catalogue.variant(place)?.variant.itemSlot ?? place.slot
    return { item: { product: place.product, slot }, location: core.locationIndex(locationId) }
  }

  const stockOf = (variantId: string, locationId: string) =>
    stock.level(placeOf(variantId, locationId))?.available

  return {
    setLevels,
    stockOf,
    setStock: (variantId, locationId, available) =>
      setLevels([{ ...placeOf(variantId, locationId), available }]),
    adjustStock: (variantId, locationId, delta) =>
      setLevels([
        { ...placeOf(variantId, locationId), available: (stockOf(variantId, locationId) ?? 0) + delta },
      ]),
  }
}
