import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'

/** `before`: status, sums and dates of the order before lines were added, as JSON with the names below; null: they were not stored. */
export type OrderToRestore = { id: number; before: unknown }

const Restored = Type.Object({ id: Id, version: Type.Integer() })

/**
 * Gives orders the fields from before, after lines were deleted: those that were stored, else by the lines that are left. An order
 * without lines keeps its total. Returns the new versions.
 */
export async function restoreImportedOrders(
  tx: Db,
  shopId: number,
  orders: readonly OrderToRestore[],
): Promise<readonly Static<typeof Restored>[]> {
  const now = new Date().toISOString()
  return tx.any(sql.type(row(Restored))`
    with n as materialized (
      select n.id, b.*, b.status is not null as is_stored
      from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as n (id bigint, before jsonb)
      left join lateral jsonb_to_record(n.before) as b (
        status text, subtotal numeric, tax numeric, discount numeric, "receivedAt" timestamptz, "isArrivalKnown" boolean,
        "cancelledAt" timestamptz, "cancelledBy" text
      ) on true
    )
    update purchase_order o
    set version = o.version + 1, updated_at = ${now}, line_item_count = state.line_count,
      subtotal = case when n.is_stored then n.subtotal when state.line_count = 0 then o.subtotal else state.subtotal end,
      tax = case
        when n.tax is not null then n.tax
        when state.line_count = 0 or o.is_own_tax then o.tax
        else tax_after_discount(
          state.tax, state.subtotal, least(coalesce(n.discount, o.discount), state.subtotal), state.minor_digits
        )
      end,
      discount = case
        when n.is_stored then n.discount
        when state.line_count = 0 then o.discount
        else least(o.discount, state.subtotal)
      end,
      status = case
        when n.is_stored then n.status
        when o.status in ('draft', 'cancelled') then o.status
        when state.line_count = 0 then case when o.status = 'partial' then 'sent' else o.status end
        when state.is_withdrawn then 'cancelled'
        else state.status
      end,
      received_at = case
        when n.is_stored then n."receivedAt"
        when state.line_count = 0 then case when o.status = 'received' then o.sent_at end
        when state.has_arrived then (
          select max(r.created_at) from receipt r where r.shop_id = ${shopId} and r.purchase_order_id = o.id
        )
      end,
      is_arrival_known = case when n.is_stored then n."isArrivalKnown" else o.is_arrival_known end,
      cancelled_at = case
        when n.is_stored then n."cancelledAt"
        when o.status not in ('draft', 'cancelled') and o.closed_at is null and state.is_withdrawn then ${now}
        else o.cancelled_at
      end,
      cancelled_by = case when n.is_stored then n."cancelledBy" else o.cancelled_by end
    from n
    cross join lateral order_state(${shopId}, n.id) state
    where o.shop_id = ${shopId} and o.id = n.id
    returning o.id, o.version
  `)
}
