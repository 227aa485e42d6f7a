import type { Db } from '../../shared/db/db.ts'
import { levelKey } from '../../shared/domain/ledgers/stock/changes.ts'
import type { ReadStates } from '../../shared/domain/ledgers/stock/platform/classify-update.ts'
import type { PlatformLevel } from '../../shared/domain/ledgers/stock/platform/platform-updates.ts'
import { beginReading } from '../../shared/domain/ledgers/stock/platform/read-requests.ts'
import type { LevelReading } from '../../shared/domain/ledgers/stock/platform/reading.ts'
import {
  listReportedLevels,
  type StockedVariant,
} from '../../shared/domain/ledgers/stock/stocked-variants.ts'
import { findLocationIds } from '../../shared/domain/records/catalogue/locations.ts'
import type { AdminApi } from '../platform/admin-api.ts'
import { documents } from '../platform/documents.ts'
import type { InventoryItemNode } from '../platform/inventory-documents.ts'

type LevelReader = {
  pageSize: number
  /** Reads the platform's levels of these variants, for `applyReading`. */
  read: (variants: readonly StockedVariant[]) => Promise<LevelReading>
}

/** A request may cost 1 000 points. With 5 locations an item costs 3 x (1 + 5) = 18, so a page has 900 / 18 = 50. */
const maxPoints = 900
const pointsPerNode = 3
const maxItems = 100
const maxLevels = 50

/**
 * Creates a reader of platform levels. It reads by our variants, so that all pages cost the same. Levels at unknown
 * locations are left out. A level that had goods before and that the platform no longer lists is returned with 0.
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

  function levelsOf(
    variantId: number,
    { tracked, inventoryLevels }: InventoryItemNode,
    readAt: string,
  ): PlatformLevel[] {
    return inventoryLevels.nodes.flatMap(({ location, quantities, updatedAt }) => {
      const locationId = locationIds.get(location.id)
      const available = quantities.find(({ name }) => name === 'available')?.quantity
      if (locationId === undefined || available === undefined) return []
      const states = statesOf(quantities, available, readAt)
      return [{ variantId, locationId, available: tracked ? available : null, updatedAt, states }]
    })
  }

  return {
    pageSize,
    async read(variants) {
      const ids = variants.map(({ id }) => id)
      const { readAt, requests, hasDraftCounts } = await beginReading(db, shopId, ids)
      // listed before the request: the platform may get a level after its answer, and the webhook may be faster
      const reported = await listReportedLevels(db, shopId, ids)
      const items = new Map<string, InventoryItemNode>()
      if (variants.length > 0) {
        const gids = new Set(variants.map((variant) => variant.inventoryItemGid))
        for (const item of await queryItems([...gids], null)) items.set(item.id, await withAllLevels(item))
      }
      const itemOf = new Map(
        variants.flatMap(({ id, inventoryItemGid }) => {
          const item = items.get(inventoryItemGid)
          return item ? [[id, item] as const] : []
        }),
      )
      const variantIds = [...itemOf.keys()]
      const listed = [...itemOf].flatMap(([id, item]) => levelsOf(id, item, readAt))
      const listedKeys = new Set(listed.map(levelKey))
      const unlisted = reported.filter(
        (level) => itemOf.has(level.variantId) && !listedKeys.has(levelKey(level)),
      )
      const gone = unlisted
        .filter(({ platformQuantity }) => platformQuantity !== 0)
        .map(({ variantId, locationId, platformUpdatedAt }): PlatformLevel => {
          const available = itemOf.get(variantId)?.tracked ? 0 : null
          const states = { committed: 0, unavailable: 0, readAt }
          const updatedAt = platformUpdatedAt ?? readAt
          return { variantId, locationId, available, updatedAt, states, goneAt: readAt }
        })
      return {
        ...{ readAt, requests, hasDraftCounts, variantIds, levels: [...listed, ...gone] },
        unlisted: unlisted.filter(({ platformQuantity }) => platformQuantity === 0),
        missingVariantIds: ids.filter((id) => !itemOf.has(id)),
      }
    },
  }
}

/** The platform's limit of a quantity. */
const maxPieces = 1_000_000_000

/** Without the names of a newer document, as from an old answer, the states stay unknown. */
function statesOf(
  quantities: InventoryItemNode['inventoryLevels']['nodes'][number]['quantities'],
  available: number,
  readAt: string,
): ReadStates | undefined {
  const quantityOf = (wanted: string) => quantities.find(({ name }) => name === wanted)?.quantity
  const committed = quantityOf('committed')
  const onHand = quantityOf('on_hand')
  if (committed === undefined || onHand === undefined) return undefined
  const bounded = (pieces: number) => Math.max(-maxPieces, Math.min(pieces, maxPieces))
  return { committed: bounded(committed), unavailable: bounded(onHand - available - committed), readAt }
}
