import type { Db } from '../../../db/db.ts'
import { refreshRules } from '../../ledgers/stock/low-stock.ts'
import { retireProducts } from '../../records/catalogue/retire.ts'
import { readDeleted } from './deletions.ts'
import type { Settlement, WebhookDelivery } from './deliveries.ts'

/** Retires deleted products, and resolves the alerts of their variants. */
export async function applyProductDeletions(
  tx: Db,
  shopId: number,
  namespace: string,
  deliveries: readonly WebhookDelivery[],
): Promise<Settlement[]> {
  const { deleted, rejected } = readDeleted(namespace, 'Product', deliveries)
  if (deleted.length === 0) return rejected
  await refreshRules(tx, shopId, await retireProducts(tx, shopId, deleted))
  return [...rejected, ...deleted.map(({ id }): Settlement => ({ id, state: 'applied', reason: '' }))]
}
