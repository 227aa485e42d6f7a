import { gidOf } from '../make/catalogue.ts'
import { data, type PlatformDouble, type Reply } from './platform.ts'

type Level = { available: number; updatedAt: string }
type Line = {
  inventoryItemId: string
  locationId: string
  changeFromQuantity: number | null
  delta?: number
  quantity?: number
}

/** What a shop's platform holds of stock, with a clock of its own; levels are named as in `1/2`: variant, location. */
export type StockPlatform = {
  levels: Map<string, Level>
  /** Two seconds later: the platform tells time in seconds, and no two things happen within one. */
  tick: () => string
  /** Somebody buys. */
  sell: (place: string, quantity: number) => void
  /** Does what a document asks, once for each key, as the real one does. */
  change: (document: string, variables: Record<string, unknown>) => Reply
}

/** Answers changes and questions of stock by the rules of the real platform, over `levels`. */
export function answerStock(
  platform: PlatformDouble,
  places: readonly string[],
  available: number,
  /** Every change, as the platform tells of it. */
  tell: (place: string, level: Level) => void,
): StockPlatform {
  let seconds = 0
  const tick = () => {
    seconds += 2
    return new Date(Date.UTC(2026, 10, 2) + seconds * 1000).toISOString()
  }
  const levels = new Map(places.map((place) => [place, { available, updatedAt: tick() }]))
  const answers = new Map<string, Reply>()

  const levelAt = (place: string) => {
    const level = levels.get(place)
    if (!level) throw new Error(`The platform has no level ${place}`)
    return level
  }
  const placeOf = ({ inventoryItemId, locationId }: Line) =>
    `${/\d+$/.exec(inventoryItemId)?.[0]}/${/\d+$/.exec(locationId)?.[0]}`
  const put = (place: string, quantity: number, updatedAt: string) => {
    const level = { available: quantity, updatedAt }
    levels.set(place, level)
    tell(place, level)
  }

  const change: StockPlatform['change'] = (document, variables) => {
    const { key, input } = variables as { key: string; input: { changes?: Line[]; quantities?: Line[] } }
    const known = answers.get(key)
    if (known) return known
    const lines = input.changes ?? input.quantities ?? []
    const field = document === 'adjust-quantities' ? 'inventoryAdjustQuantities' : 'inventorySetQuantities'
    const stale = lines.flatMap((line, at) =>
      line.changeFromQuantity === null || line.changeFromQuantity === levelAt(placeOf(line)).available
        ? []
        : [
            {
              code: 'CHANGE_FROM_QUANTITY_STALE',
              field: ['input', 'quantities', String(at)],
              message: 'Stale',
            },
          ],
    )
    const answer = (group: unknown, userErrors: unknown[]) =>
      data({ [field]: { inventoryAdjustmentGroup: group, userErrors } })
    if (stale.length > 0) {
      const refusal = answer(null, stale)
      answers.set(key, refusal)
      return refusal
    }
    const createdAt = tick()
    const changes = lines.map((line) => {
      const place = placeOf(line)
      const after = line.quantity ?? levelAt(place).available + (line.delta ?? 0)
      put(place, after, createdAt)
      const { inventoryItemId, locationId } = line
      return {
        name: 'available',
        quantityAfterChange: after,
        item: { id: inventoryItemId },
        location: { id: locationId },
      }
    })
    const done = answer({ createdAt, changes }, [])
    answers.set(key, done)
    return done
  }

  platform.on('AdjustQuantities', (variables) => change('adjust-quantities', variables))
  platform.on('SetQuantities', (variables) => change('set-quantities', variables))
  platform.on('InventoryLevels', ({ ids }) =>
    data({
      nodes: (ids as string[]).map((id) => ({
        id,
        tracked: true,
        inventoryLevels: {
          nodes: [...levels]
            .filter(([place]) => gidOf('InventoryItem', place.split('/')[0] ?? '') === id)
            .map(([place, level]) => ({
              updatedAt: level.updatedAt,
              location: { id: gidOf('Location', place.split('/')[1] ?? '') },
              quantities: [{ name: 'available', quantity: level.available }],
            })),
          pageInfo: { hasNextPage: false, endCursor: null },
        },
      })),
    }),
  )

  return {
    levels,
    tick,
    change,
    sell: (place, quantity) => put(place, levelAt(place).available - quantity, tick()),
  }
}
