import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'

/** A receipt without an order, by the names that the statement reads. `at` is a text as `noonOrInstant` reads it. */
export type ImportedDirectReceipt = {
  /** In hex; the same receipt again has the same one. */
  fingerprint: string
  location_id: number
  supplier_id: number | null
  at: string
  delivery_note: string
  notes: string
}

export type ImportedDirectLine = {
  place: number
  variant_id: number
  sku: string
  title: string
  quantity: number
  cost: number | null
}

const Stored = Type.Object({ id: Id, fingerprint: Type.String(), isNew: Type.Boolean() })

/**
 * Inserts the receipts that the shop does not have, with their lines. As with imported receipts of orders no stock moves and no
 * cost is booked. Returns each receipt, new or known.
 */
export async function storeDirectReceipts(
  tx: Db,
  shopId: number,
  actor: string,
  receipts: readonly ImportedDirectReceipt[],
  lines: readonly (ImportedDirectLine & { fingerprint: string })[],
): Promise<readonly Static<typeof Stored>[]> {
  if (receipts.length === 0) return []
  return tx.any(sql.type(row(Stored))`
    with n as materialized (
      select distinct on (fingerprint) *
      from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as n (
        fingerprint text, location_id bigint, supplier_id bigint, at text, delivery_note text, notes text
      )
    ),
    known as (
      select r.id, n.fingerprint
      from n
      join receipt r on r.shop_id = ${shopId} and r.is_imported and r.fingerprint = decode(n.fingerprint, 'hex')
        and r.purchase_order_id is null
    ),
    added as (
      insert into receipt (
        shop_id, location_id, supplier_id, delivery_note, notes, fingerprint, created_by, created_at, is_imported
      )
      select ${shopId}, n.location_id, n.supplier_id, n.delivery_note, n.notes, decode(n.fingerprint, 'hex'), ${actor},
        ${noonOrInstant(shopId, sql.fragment`n.at`)}, true
      from n
      where not exists (select from known k where k.fingerprint = n.fingerprint)
      order by n.at
      returning id, encode(fingerprint, 'hex') as fingerprint
    ),
    lines as (
      insert into direct_receipt_line (shop_id, receipt_id, position, variant_id, sku, title, quantity, unit_cost)
      select ${shopId}, a.id, l.place, l.variant_id, l.sku, l.title, l.quantity, l.cost
      from added a
      join jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l (
        fingerprint text, place int, variant_id bigint, sku text, title text, quantity int, cost numeric
      ) on l.fingerprint = a.fingerprint
    )
    select id, fingerprint, true as is_new from added
    union all
    select id, fingerprint, false from known
  `)
}
