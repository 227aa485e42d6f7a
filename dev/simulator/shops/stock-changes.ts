import { randomUUID } from 'node:crypto'
import { levelPayload } from '../webhooks/shop-payloads.ts'
import type { ShopCore } from './core.ts'
import {
  type LevelKey,
  noStates,
  type QuantityName,
  quantityOf,
  type StateName,
  type States,
  stateNames,
} from './stock.ts'

export type LevelChange = LevelKey & Partial<States>

/** The states that a merchant changes by hand: orders alone commit stock. */
export type MerchantState = Exclude<StateName, 'committed'>

export type StockChanges = {
  /**
   * Sets several levels as one action. Activates a level that does not exist first. Only a change of the available
   * quantity sends a webhook.
   */
  setLevels: (changes: LevelChange[], eventId?: string) => void
  /** Sets the available quantity, as the merchant does. */
  setStock: (variantId: string, locationId: string, available: number) => void
  adjustStock: (variantId: string, locationId: string, delta: number) => void
  /** Sets the quantities of several states, as the merchant does. */
  setStates: (variantId: string, locationId: string, states: Partial<Record<MerchantState, number>>) => void
  /** Moves pieces between two states, for example from available to damaged. On hand stays the same. */
  moveState: (
    variantId: string,
    locationId: string,
    move: { from: MerchantState; to: MerchantState; quantity: number },
  ) => void
  /** The available quantity; `undefined` when the variant is not stocked there. */
  stockOf: (variantId: string, locationId: string) => number | undefined
  /** All quantities by name; `undefined` when the variant is not stocked there. */
  statesOf: (variantId: string, locationId: string) => Record<QuantityName, number> | undefined
}

export function createStockChanges(core: ShopCore): StockChanges {
  const { catalogue, stock, locations } = core

  function setLevels(changes: LevelChange[], eventId: string = randomUUID()): void {
    for (const { item, location, ...states } of changes) {
      const locationFacts = locations[location]
      const [user] = catalogue.variantsOfItem(item)
      if (!locationFacts || !user) throw new Error('The item or the location does not exist')
      const before = stock.level({ item, location })
      const level = stock.set({ item, location }, states)
      const itemId = catalogue.itemId(item.product, item.slot)
      const payload = levelPayload(core, {
        itemId,
        location: locationFacts,
        level,
        tracked: user.variant.tracked,
      })
      if (!before) core.sendWebhook('INVENTORY_LEVELS_CONNECT', payload, eventId)
      if (before?.available !== level.available) core.sendWebhook('INVENTORY_LEVELS_UPDATE', payload, eventId)
    }
    core.changed()
  }

  function levelKey(variantId: string, locationId: string): LevelKey {
    const key = core.variantKey(variantId)
    const slot = catalogue.variant(key)?.variant.itemSlot ?? key.slot
    return { item: { product: key.product, slot }, location: core.locationIndex(locationId) }
  }

  const levelOf = (variantId: string, locationId: string) => stock.level(levelKey(variantId, locationId))
  const stockOf = (variantId: string, locationId: string) => levelOf(variantId, locationId)?.available
  const setStates: StockChanges['setStates'] = (variantId, locationId, states) =>
    setLevels([{ ...levelKey(variantId, locationId), ...states }])

  return {
    setLevels,
    stockOf,
    setStates,
    setStock: (variantId, locationId, available) => setStates(variantId, locationId, { available }),
    adjustStock: (variantId, locationId, delta) =>
      setStates(variantId, locationId, { available: (stockOf(variantId, locationId) ?? 0) + delta }),
    moveState(variantId, locationId, { from, to, quantity }) {
      const level = levelOf(variantId, locationId)
      if (!level) throw new Error('The variant is not stocked at this location')
      if (from === to || from === 'incoming' || to === 'incoming')
        throw new Error(`Stock does not move from ${from} to ${to}`)
      setStates(variantId, locationId, { [from]: level[from] - quantity, [to]: level[to] + quantity })
    },
    statesOf(variantId, locationId) {
      const level = levelOf(variantId, locationId)
      return level && byName(level)
    },
  }
}

function byName(states: States): Record<QuantityName, number> {
  const quantities = { ...noStates, on_hand: quantityOf(states, 'on_hand') }
  for (const name of stateNames) quantities[name] = states[name]
  return quantities
}
