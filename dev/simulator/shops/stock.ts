import type { Catalogue } from './catalogue.ts'
import type { Location } from './locations.ts'
import type { SlotKey } from './numbering.ts'
import { instant, type Seed } from './seed.ts'

/** Goods on the shelf that cannot be sold. */
export const unavailableNames = ['damaged', 'quality_control', 'safety_stock', 'reserved'] as const

/** The states of stock that are stored. On hand is their sum without `incoming`. */
export const stateNames = ['available', 'committed', ...unavailableNames, 'incoming'] as const
export type StateName = (typeof stateNames)[number]

/** The names of quantities in the API. */
export const quantityNames = [...stateNames, 'on_hand'] as const
export type QuantityName = (typeof quantityNames)[number]

/** Pieces per state. `committed` pieces are in unshipped orders. */
export type States = Record<StateName, number>

export type Level = States & {
  updatedAt: string
  /** When each quantity last changed; absent while it never did. */
  changedAt: Partial<Record<QuantityName, string>>
}

/** A level without goods. */
export const noStates: Readonly<States> = {
  available: 0,
  committed: 0,
  damaged: 0,
  quality_control: 0,
  safety_stock: 0,
  reserved: 0,
  incoming: 0,
}

const unavailableOf = (states: States) => unavailableNames.reduce((sum, name) => sum + states[name], 0)

export function quantityOf(states: States, name: QuantityName): number {
  return name === 'on_hand' ? states.available + states.committed + unavailableOf(states) : states[name]
}

export const isQuantityName = (name: string): name is QuantityName =>
  quantityNames.some((known) => known === name)

export type LevelKey = { item: SlotKey; location: number }

/** The stock levels of one shop. An absent level means that the item is not stocked at the location. */
export type Stock = {
  level: (key: LevelKey) => Level | undefined
  /** The levels at all locations that stock the item. */
  levelsOfItem: (item: SlotKey) => { location: number; level: Level }[]
  /** Creates the level if it does not exist. */
  set: (key: LevelKey, states: Partial<States>) => Level
}

export type ChangedLevels = Map<string, Level>

type StockOptions = {
  seed: Seed
  catalogue: Catalogue
  locations: readonly Location[]
  changed: ChangedLevels
  openedAt: Date
  now: () => Date
}

export function createStock({ seed, catalogue, locations, changed, openedAt, now }: StockOptions): Stock {
  const textKey = ({ item, location }: LevelKey) => `${item.product}.${item.slot}.${location}`

  function find(key: LevelKey): Level | undefined {
    const found = changed.get(textKey(key))
    if (found) return found
    const { item, location } = key
    if (item.product >= seed.products || location >= seed.locations.length) return undefined
    if (catalogue.variantsOfItem(item).length === 0) return undefined
    const available = seed.available(item.product, item.slot, location)
    if (available === undefined) return undefined
    const at = instant(openedAt)
    const unavailable = seed.unavailable?.(item.product, item.slot, location) ?? {}
    const changedAt = Object.fromEntries(
      ['available', 'on_hand', ...Object.keys(unavailable)].map((name) => [name, at]),
    )
    return { ...noStates, ...unavailable, available, updatedAt: at, changedAt }
  }

  /** The stock of a deactivated location is hidden. */
  const level = (key: LevelKey) => (locations[key.location]?.isActive ? find(key) : undefined)

  return {
    level,
    levelsOfItem: (item) =>
      locations.flatMap((_, location) => {
        const found = level({ item, location })
        return found ? [{ location, level: found }] : []
      }),
    set(key, states) {
      const at = instant(now())
      const before = find(key)
      const after = { ...noStates, ...before, ...states }
      const moved = quantityNames.filter(
        (name) => quantityOf(before ?? noStates, name) !== quantityOf(after, name),
      )
      const changedAt = { ...(before?.changedAt ?? { available: at, on_hand: at }) }
      for (const name of moved) changedAt[name] = at
      const stored = { ...after, updatedAt: before && moved.length === 0 ? before.updatedAt : at, changedAt }
      changed.set(textKey(key), stored)
      return stored
    },
  }
}
