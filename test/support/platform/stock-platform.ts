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

/**
 * The stock of a shop on the mocked platform, with its own clock. Level keys are `variant/location`, as in `1/2`.
 */
export type StockPlatform = {
  levels: Map<string, Level>
  /** Advances the clock by two seconds: the platform's times have seconds, and no two events share one. */
  tick: () => string
  /** Sells on the platform. */
  sell: (levelKey: string, quantity: number) => void
  /** Executes a mutation once per idempotency key, as the real platform does. */
  change: (document: string, variables: Record<string, unknown>) => Reply
}

/** Handles stock queries and mutations by the rules of the real platform, on `levels`. */
export function simulateStock(
  platform: PlatformDouble,
  levelKeys: readonly string[],
  available: number,
  /** Called for each change, as the platform's webhook would report it. */
  report: (levelKey: string, level: Level) => void,
): StockPlatform {
  let seconds = 0
  const tick = () => {
    seconds += 2
    return new Date(Date.UTC(2026, 10, 2) + seconds * 1000).toISOString()
  }
  const levels = new Map(levelKeys.map((levelKey) => [levelKey, { available, updatedAt: tick() }]))
  const responses = new Map<string, Reply>()

  const levelAt = (levelKey: string) => {
    const level = levels.get(levelKey)
    if (!level) throw new Error(`The platform has no level ${levelKey}`)
    return level
  }
  const levelKeyOf = ({ inventoryItemId, locationId }: Line) =>
    `${/\d+$/.exec(inventoryItemId)?.[0]}/${/\d+$/.exec(locationId)?.[0]}`
  const put = (levelKey: string, quantity: number, updatedAt: string) => {
    const level = { available: quantity, updatedAt }
    levels.set(levelKey, level)
    report(levelKey, level)
  }

  const change: StockPlatform['change'] = (document, variables) => {
    const { key, input } = variables as { key: string; input: { changes?: Line[]; quantities?: Line[] } }
    const stored = responses.get(key)
    if (stored) return stored
    const lines = input.changes ?? input.quantities ?? []
    const field = document === 'adjust-quantities' ? 'inventoryAdjustQuantities' : 'inventorySetQuantities'
    const stale = lines.flatMap((line, at) =>
      line.changeFromQuantity === null || line.changeFromQuantity === levelAt(levelKeyOf(line)).available
        ? []
        : [
            {
              code: 'CHANGE_FROM_QUANTITY_STALE',
              field: ['input', 'quantities', String(at)],
              message: 'Stale',
            },
          ],
    )
    const respond = (group: unknown, userErrors: unknown[]) =>
      data({ [field]: { inventoryAdjustmentGroup: group, userErrors } })
    if (stale.length > 0) {
      const refusal = respond(null, stale)
      responses.set(key, refusal)
      return refusal
    }
    const createdAt = tick()
    const changes = lines.map((line) => {
      const levelKey = levelKeyOf(line)
      const after = line.quantity ?? levelAt(levelKey).available + (line.delta ?? 0)
      put(levelKey, after, createdAt)
      const { inventoryItemId, locationId } = line
      return {
        name: 'available',
        quantityAfterChange: after,
        item: { id: inventoryItemId },
        location: { id: locationId },
      }
    })
    const response = respond({ createdAt, changes }, [])
    responses.set(key, response)
    return response
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
            .filter(([levelKey]) => gidOf('InventoryItem', levelKey.split('/')[0] ?? '') === id)
            .map(([levelKey, level]) => ({
              updatedAt: level.updatedAt,
              location: { id: gidOf('Location', levelKey.split('/')[1] ?? '') },
              // what this platform sells, it ships at once
              quantities: [
                { name: 'available', quantity: level.available },
                { name: 'committed', quantity: 0 },
                { name: 'on_hand', quantity: level.available },
              ],
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
    sell: (levelKey, quantity) => put(levelKey, levelAt(levelKey).available - quantity, tick()),
  }
}
