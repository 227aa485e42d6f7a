import { conflict } from '../../../errors.ts'
import type { PurchaseOrder } from '../../../schemas/purchase-orders.ts'

/** Throws stale_version when a change names another version of the order than the current one. */
export function requireVersion(
  { version }: Pick<PurchaseOrder, 'version'>,
  patch: { version?: number | undefined },
): void {
  if (patch.version === undefined || patch.version === version) return
  throw conflict('This order has changed in the meantime. Reload it before you save.', 'stale_version')
}
