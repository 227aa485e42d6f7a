import type { Db } from '../../shared/db/db.ts'
import { findLocationIds } from '../../shared/domain/catalogue/locations.ts'
import type { PlatformLevel } from '../../shared/domain/stock/platform-updates.ts'
import { listReportedLevels, type StockedVariant } from '../../shared/domain/stock/stocked-variants.ts'
import type { AdminApi } from '../platform/admin-api.ts'
import { documents } from '../platform/documents.ts'
import type { InventoryItemNode } from '../platform/inventory-documents.ts'

export type LevelReader = {
  /** How many variants one request holds. */
  pageSize: number
  /** What the platform says of the stock of these variants, for `applyPlatformLevels`. */
  read: (variants: readonly StockedVariant[]) => Promise<PlatformLevel[]>
}

/** A request may cost 1 000 points; an item is reckoned with 3 and each of its levels, too. */
const maxPoints = 900
const pointsEach = 3
const maxItems = 100
const maxLevels = 50

/**
 * Reads levels by our own variants, so that a shop of any size is read in pages of one cost, and anything read is of
 * use. Levels at locations that we do not know are left out. Where the platform has told of stock before, and does
 * not list the item there any more, there is none.
 */
export async function openLevelReader(
  api: AdminApi,
  db: Db,
  shopId: number,
  signal: AbortSignal,
): Promise<LevelReader> {
  const locationIds = await findLocationIds(db, shopId)
  const first = Math.min(Math.max(locationIds.size, 1), maxLevels)
  const pageSize = Math.min(Math.floor(maxPoints / (pointsEach * (first + 1))), maxItems)

  async function ask(ids: string[], after: string | null): Promise<InventoryItemNode[]> {
    const { nodes } = await api.query(documents.inventoryLevels, { ids, first, after }, { signal })
    return nodes.filter((item) => item !== null)
  }

  /** An item at more places than one page holds. */
  async function askForRest(item: InventoryItemNode): Promise<InventoryItemNode> {
    const nodes = [...item.inventoryLevels.nodes]
    let { pageInfo } = item.inventoryLevels
    while (pageInfo.hasNextPage) {
      const [rest] = await ask([item.id], pageInfo.endCursor)
      if (!rest) break
      nodes.push(...rest.inventoryLevels.nodes)
      pageInfo = rest.inventoryLevels.pageInfo
    }
    return { ...item, inventoryLevels: { nodes, pageInfo } }
  }

  /** Levels without an answer in them are left out. */
  function levelsOf(variantId: number, { tracked, inventoryLevels }: InventoryItemNode): PlatformLevel[] {
    return inventoryLevels.nodes.flatMap(({ location, quantities, updatedAt }) => {
      const locationId = locationIds.get(location.id)
      const available = quantities.find(({ name }) => name === 'available')?.quantity
      if (locationId === undefined || available === undefined) return []
      return [{ variantId, locationId, available: tracked ? available : null, updatedAt }]
    })
  }

  return {
    pageSize,
    async read(variants) {
      if (variants.length === 0) return []
      const askedAt = new Date().toISOString()
      const items = new Map<string, InventoryItemNode>()
      for (const item of await ask([...new Set(variants.map((one) => one.inventoryItemGid))], null)) {
        items.set(item.id, await askForRest(item))
      }
      const itemOf = new Map(variants.map(({ id, inventoryItemGid }) => [id, items.get(inventoryItemGid)]))
      const told = [...itemOf].flatMap(([id, item]) => (item ? levelsOf(id, item) : []))
      const known = new Set(told.map(({ variantId, locationId }) => `${variantId}/${locationId}`))
      const gone = (await listReportedLevels(db, shopId, [...itemOf.keys()])).flatMap(
        ({ variantId, locationId }): PlatformLevel[] => {
          const item = itemOf.get(variantId)
          if (!item || known.has(`${variantId}/${locationId}`)) return []
          return [{ variantId, locationId, available: item.tracked ? 0 : null, updatedAt: askedAt }]
        },
      )
      return [...told, ...gone]
    },
  }
}
