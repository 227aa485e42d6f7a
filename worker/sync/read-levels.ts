import type { Db } from '../../shared/db/db.ts'
import { findLocationIds } from '../../shared/domain/catalogue/locations.ts'
import type { PlatformLevel } from '../../shared/domain/stock/platform-updates.ts'
import { listReportedLevels, type StockedVariant } from '../../shared/domain/stock/stocked-variants.ts'
import type { AdminApi } from '../platform/admin-api.ts'
import { documents } from '../platform/documents.ts'
import type { InventoryItemNode } from '../platform/inventory-documents.ts'

type LevelReader = {
  pageSize: number
  /** Reads the platform's levels of these variants, for `applyPlatformLevels`. */
  read: (variants: readonly StockedVariant[]) => Promise<PlatformLevel[]>
}

/** A request may cost 1 000 points. With 5 locations an item costs 3 x (1 + 5) = 18, so a page has 900 / 18 = 50. */
const maxPoints = 900
const pointsPerNode = 3
const maxItems = 100
const maxLevels = 50

/**
 * Creates a reader of platform levels. It reads by our variants, so that all pages cost the same. Levels at unknown
 * locations are left out. A level that the platform reported before and no longer lists is returned with quantity 0.
 */
export async function openLevelReader(
  api: AdminApi,
  db: Db,
  shopId: number,
  signal: AbortSignal,
): Promise<LevelReader> {
  const locationIds = await findLocationIds(db, shopId)
  const first = Math.min(Math.max(locationIds.size, 1), maxLevels)
  const pageSize = Math.min(Math.floor(maxPoints / (pointsPerNode * (first + 1))), maxItems)

  async function queryItems(ids: string[], after: string | null): Promise<InventoryItemNode[]> {
    const { nodes } = await api.query(documents.inventoryLevels, { ids, first, after }, { signal })
    return nodes.filter((item) => item !== null)
  }

  /** Adds the levels of an item with more locations than one page holds. */
  async function withAllLevels(item: InventoryItemNode): Promise<InventoryItemNode> {
    const nodes = [...item.inventoryLevels.nodes]
    let { pageInfo } = item.inventoryLevels
    while (pageInfo.hasNextPage) {
      const [rest] = await queryItems([item.id], pageInfo.endCursor)
      if (!rest) break
      nodes.push(...rest.inventoryLevels.nodes)
      pageInfo = rest.inventoryLevels.pageInfo
    }
    return { ...item, inventoryLevels: { nodes, pageInfo } }
  }

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
      const requestedAt = new Date().toISOString()
      const items = new Map<string, InventoryItemNode>()
      for (const item of await queryItems(
        [...new Set(variants.map((variant) => variant.inventoryItemGid))],
        null,
      )) {
        items.set(item.id, await withAllLevels(item))
      }
      const itemOf = new Map(variants.map(({ id, inventoryItemGid }) => [id, items.get(inventoryItemGid)]))
      const listed = [...itemOf].flatMap(([id, item]) => (item ? levelsOf(id, item) : []))
      const listedKeys = new Set(listed.map(({ variantId, locationId }) => `${variantId}/${locationId}`))
      const unlisted = (await listReportedLevels(db, shopId, [...itemOf.keys()])).flatMap(
        ({ variantId, locationId }): PlatformLevel[] => {
          const item = itemOf.get(variantId)
          if (!item || listedKeys.has(`${variantId}/${locationId}`)) return []
          return [{ variantId, locationId, available: item.tracked ? 0 : null, updatedAt: requestedAt }]
        },
      )
      return [...listed, ...unlisted]
    },
  }
}
