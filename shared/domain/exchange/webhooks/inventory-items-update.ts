import type { Db } from '../../../db/db.ts'
import { makeGid } from '../../../platform/gid.ts'
import { InventoryItemPayload } from '../../../schemas/webhooks.ts'
import { refreshRules } from '../../ledgers/stock/low-stock.ts'
import { recheckLevels } from '../../ledgers/stock/platform/recheck.ts'
import { readCost } from '../../records/catalogue/reported-items.ts'
import { readWeight } from '../../records/catalogue/weight.ts'
import { applyReportedItems } from '../sync/reported-items.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'
import { createPayloadReader } from './payloads.ts'

const readItems = createPayloadReader(InventoryItemPayload)

/**
 * Applies costs, weights and whether stock is tracked. An unknown item is ignored: the webhook of its product causes a reading of
 * the whole product. A variant whose tracking changed is read, too, since its levels are shown or hidden now.
 */
export async function applyInventoryItems(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { readable, rejected } = readItems(deliveries)
  const items = readable.map(({ id, payload, happenedAt }) => ({
    id,
    itemGid: makeGid(namespace, 'InventoryItem', String(payload.id)),
    isTracked: payload.tracked,
    cost: readCost(payload.cost === null || payload.cost === undefined ? null : String(payload.cost)),
    weightGrams: readWeight({ value: payload.weight_value, unit: payload.weight_unit }),
    updatedAt: payload.updated_at ?? happenedAt,
    causedAt: happenedAt,
  }))
  const { knownGids, retrackedIds, ambiguousIds } = await applyReportedItems(tx, shopId, items)
  await refreshRules(tx, shopId, retrackedIds)
  await recheckLevels(tx, shopId, [...new Set([...retrackedIds, ...ambiguousIds])])
  const settled = items.map(
    ({ id, itemGid }): Settlement =>
      knownGids.has(itemGid)
        ? { id, state: 'applied', reason: '' }
        : { id, state: 'ignored', reason: 'The item is not in the catalogue. It is read with its product.' },
  )
  return [...rejected, ...settled]
}
