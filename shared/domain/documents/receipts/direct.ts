import { createHash } from 'node:crypto'
import { type Db, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import type { DirectReceiptInput, ReceiptDetail } from '../../../schemas/receipts.ts'
import { bookReceipt } from '../../ledgers/costs/book.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { unknownSupplier } from '../../records/suppliers/unknown-supplier.ts'
import { getReceipt } from './receipts.ts'

/**
 * Receives goods without an order: one transaction writes the receipt, the costs and the stock. Several lines may name one
 * variant. Without an idempotency key, an equal request of the same person within 10 seconds is a double click and returns
 * the first receipt. Throws unknown_supplier, unknown_location, unknown_variant, untracked_variant.
 */
export function receiveDirectly(
  db: Db,
  shopId: number,
  actor: string,
  input: DirectReceiptInput,
  { hasKey = false }: { hasKey?: boolean } = {},
): Promise<ReceiptDetail> {
  return db.transaction(async (tx) => {
    const { supplierId = null, lines } = input
    if (supplierId !== null) await lockSupplier(tx, shopId, supplierId)
    const { variants, locations } = await resolveLevelKeys(tx, shopId, {
      variants: lines.map(({ variantId }, index) => ({ id: variantId, path: `/lines/${index}/variantId` })),
      locations: input.locationId ? [{ id: input.locationId, path: '/locationId' }] : [],
    })
    const locationId = locations[0] ?? (await findPrimary(tx, shopId))
    const rows = lines.map(({ quantity, unitCost }, at) => [
      at,
      variants[at] ?? 0,
      quantity,
      unitCost ?? null,
    ])
    const fingerprint = createHash('sha256')
      .update(JSON.stringify(['direct', supplierId, locationId, rows]))
      .digest()
    const earlierId = hasKey ? null : await findRepeated(tx, shopId, actor, fingerprint)
    if (earlierId !== null) return getReceipt(tx, shopId, earlierId)
    const id = await tx.oneFirst(sql.typeAlias('id')`
      with written as (
        insert into receipt (shop_id, supplier_id, location_id, notes, delivery_note, fingerprint, created_by)
        values (
          ${shopId}, ${supplierId}, ${locationId}, ${input.notes ?? ''}, ${input.deliveryNote ?? ''},
          ${sql.binary(fingerprint)}, ${actor}
        )
        returning id
      ),
      lines as (
        insert into direct_receipt_line (shop_id, receipt_id, position, variant_id, sku, title, quantity, unit_cost)
        select ${shopId}, written.id, line.position, v.id, v.sku, ${variantTitle('v', 'p')}, line.quantity, line.unit_cost
        from written
        cross join ${sql.unnest(rows, ['int4', 'int8', 'int4', 'numeric'])} as line (position, variant_id, quantity, unit_cost)
        join variant v on v.shop_id = ${shopId} and v.id = line.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
      )
      select id from written
    `)
    await bookReceipt(tx, shopId, { id, purchaseOrderId: null }, actor)
    const change = { kind: 'receipt', form: 'adjust', platformReason: 'received' } as const
    const moved = lines.map(({ quantity }, at) => ({
      ...{ variantId: variants[at] ?? 0, locationId, delta: quantity, path: `/lines/${at}/quantity` },
    }))
    await moveStock(tx, shopId, { ...change, reference: `receipt/${id}`, actor }, moved)
    return getReceipt(tx, shopId, id)
  })
}

async function lockSupplier(tx: Db, shopId: number, id: number): Promise<void> {
  const supplier = await tx.maybeOne(sql.typeAlias('id')`
    select id from supplier where shop_id = ${shopId} and id = ${id} and archived_at is null for share
  `)
  if (!supplier) throw unknownSupplier()
}

async function findPrimary(tx: Db, shopId: number): Promise<number> {
  const location = await tx.maybeOne(sql.typeAlias('id')`
    select id from location where shop_id = ${shopId} and is_primary and is_active
  `)
  if (location) return location.id
  const fault = { path: '/locationId', message: 'is required' }
  throw unprocessable('unknown_location', 'This shop has no primary location in use. Choose one.', [fault])
}

async function findRepeated(
  tx: Db,
  shopId: number,
  actor: string,
  fingerprint: Buffer,
): Promise<number | null> {
  // one double click waits for the other
  await tx.query(sql.typeAlias('void')`
    select pg_advisory_xact_lock(hashtextextended(${`receipt/${shopId}/${fingerprint.toString('hex')}`}, 0))
  `)
  return tx.maybeOneFirst(sql.typeAlias('id')`
    select id
    from receipt
    where shop_id = ${shopId} and purchase_order_id is null and fingerprint = ${sql.binary(fingerprint)}
      and created_by = ${actor} and reversed_at is null and created_at > now() - interval '10 seconds'
    order by id desc
    limit 1
  `)
}
