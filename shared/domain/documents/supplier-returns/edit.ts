import { isDeepStrictEqual } from 'node:util'
import { type Db, sql } from '../../../db/db.ts'
import { conflict, notFound } from '../../../errors.ts'
import type { SupplierReturn, SupplierReturnPatch } from '../../../schemas/supplier-returns.ts'
import { cleared } from '../../kit/patch.ts'
import { resolveLocation } from '../../ledgers/stock/resolve.ts'
import { lockReceipt, requireReturnable } from './returnable.ts'
import { getSupplierReturn, lineRows, resolveLines } from './supplier-returns.ts'

/**
 * Changes a draft; supplier and receipt stay. `lines` is the full new list. A patch that repeats the stored values
 * changes nothing in any state. Throws not_found, stale_version, conflict after shipping, and the errors of
 * `createSupplierReturn`.
 */
export function updateSupplierReturn(
  db: Db,
  shopId: number,
  id: number,
  patch: SupplierReturnPatch,
): Promise<SupplierReturn> {
  return db.transaction(async (tx) => {
    await lockReturn(tx, shopId, id)
    const found = await getSupplierReturn(tx, shopId, id)
    if (patch.version !== undefined && patch.version !== found.version) {
      throw conflict('This return was changed in the meantime. Reload it before you save.', 'stale_version')
    }
    if (!isChanged(found, patch)) return found
    if (found.state !== 'draft') throw conflict('Only a draft can change. This return is no longer one.')
    const { receiptId } = found
    if (receiptId !== null && patch.lines) await lockReceipt(tx, shopId, receiptId, found.supplierId)
    const lines = patch.lines && (await resolveLines(tx, shopId, patch.lines))
    if (receiptId !== null && lines) await requireReturnable(tx, shopId, { id, receiptId }, lines)
    const locationId =
      patch.locationId === undefined || patch.locationId === found.locationId
        ? null
        : await resolveLocation(tx, shopId, patch.locationId)
    await tx.query(sql.typeAlias('void')`
      update supplier_return
      set location_id = coalesce(${locationId}, location_id), notes = coalesce(${cleared(patch.notes)}, notes),
        supplier_reference = coalesce(${cleared(patch.supplierReference)}, supplier_reference),
        updated_at = now(), version = version + 1
      where shop_id = ${shopId} and id = ${id} and state = 'draft'
    `)
    if (lines) await replaceLines(tx, shopId, id, lines)
    return getSupplierReturn(tx, shopId, id)
  })
}

async function lockReturn(tx: Db, shopId: number, id: number): Promise<void> {
  const found = await tx.maybeOne(sql.typeAlias('id')`
    select id from supplier_return where shop_id = ${shopId} and id = ${id} for update
  `)
  if (!found) throw notFound('Supplier return')
}

function isChanged(found: SupplierReturn, patch: SupplierReturnPatch): boolean {
  const { locationId = found.locationId, notes = found.notes } = patch
  const { supplierReference = found.supplierReference } = patch
  const linesOf = (lines: readonly { variantId: string; quantity: number; reason: string }[]) =>
    lines.map(({ variantId, quantity, reason }) => [variantId, quantity, reason])
  return !(
    locationId === found.locationId &&
    (notes ?? '') === found.notes &&
    (supplierReference ?? '') === found.supplierReference &&
    (patch.lines === undefined || isDeepStrictEqual(linesOf(patch.lines), linesOf(found.lines)))
  )
}

async function replaceLines(
  tx: Db,
  shopId: number,
  id: number,
  lines: Awaited<ReturnType<typeof resolveLines>>,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with removed as (
      delete from supplier_return_line
      where shop_id = ${shopId} and supplier_return_id = ${id} and position >= ${lines.length}
    )
    insert into supplier_return_line (shop_id, supplier_return_id, position, variant_id, quantity, reason)
    select ${shopId}, ${id}, line.position, line.variant_id, line.quantity, line.reason
    from ${lineRows(lines)}
    on conflict (shop_id, supplier_return_id, position) do update
    set variant_id = excluded.variant_id, quantity = excluded.quantity, reason = excluded.reason
  `)
}
