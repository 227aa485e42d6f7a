import type { Catalogue } from './catalogue.ts'
import type { SlotKey } from './numbering.ts'
import { instant, type Seed } from './seed.ts'

export type Level = {
  available: number
  /** The quantity in unfulfilled orders. On hand is available plus committed. */
  committed: number
  updatedAt: string
}

export type LevelKey = { item: SlotKey; location: number }

/** The stock levels of one shop. An absent level means that the item is not stocked at the location. */
export type Stock = {
  level: (key: LevelKey) => Level | undefined
  /** The levels at all locations that stock the item. */
  levelsOfItem: (item: SlotKey) => { location: number; level: Level }[]
  /** Creates the level if it does not exist. */
  set: (key: LevelKey, quantities: Partial<Pick<Level, 'available' | 'committed'>>) => Level
}

export type ChangedLevels = Map<string, Level>

type StockOptions = {
  seed: Seed
  catalogue: Catalogue
  changed: ChangedLevels
  openedAt: Date
  now: () => Date
}

export function createStock({ seed, catalogue, changed, openedAt, now }: StockOptions): Stock {
  const textKey = ({ item, location }: LevelKey) => `${item.product}.${item.slot}.${location}`

  function level(key: LevelKey): Level | undefined {
    const found = changed.get(textKey(key))
    if (found) return found
    const { item, location } = key
    if (item.product >= seed.products || catalogue.variantsOfItem(item).length === 0) return undefined
    const available = seed.available(item.product, item.slot, location)
    return available === undefined ? undefined : { available, committed: 0, updatedAt: instant(openedAt) }
  }

  return {
    level,
    levelsOfItem: (item) =>
      seed.locations.flatMap((_, location) => {
        const found = level({ item, location })
        return found ? [{ location, level: found }] : []
      }),
    set(key, quantities) {
      const before = level(key) ?? { available: 0, committed: 0 }
      const after = { ...before, ...quantities, updatedAt: instant(now()) }
      changed.set(textKey(key), after)
      return after
    },
  }
}
