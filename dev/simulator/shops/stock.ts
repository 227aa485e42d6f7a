import type { Catalogue } from './catalogue.ts'
import type { Place } from './numbering.ts'
import { instant, type Seed } from './seed.ts'

export type Level = {
  available: number
  /** In orders that are not sent yet. On hand is what is available and what is committed. */
  committed: number
  updatedAt: string
}

export type LevelPlace = { item: Place; location: number }

/** What is where in one shop. A level that is not there means that the item is not stocked at the location. */
export type Stock = {
  level: (place: LevelPlace) => Level | undefined
  /** At every location that stocks it. */
  levelsOfItem: (item: Place) => { location: number; level: Level }[]
  /** Creates the level where there is none. */
  set: (place: LevelPlace, quantities: Partial<Pick<Level, 'available' | 'committed'>>) => Level
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
  const keyOf = ({ item, location }: LevelPlace) => `${item.product}.${item.slot}.${location}`

  function level(place: LevelPlace): Level | undefined {
    const found = changed.get(keyOf(place))
    if (found) return found
    const { item, location } = place
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
    set(place, quantities) {
      const before = level(place) ?? { available: 0, committed: 0 }
      const after = { ...before, ...quantities, updatedAt: instant(now()) }
      changed.set(keyOf(place), after)
      return after
    },
  }
}
