import { type Static, Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../../db/db.ts'
import { Id, Nullable, Timestamp } from '../../../../schemas/common.ts'
import type { Terms } from '../load.ts'
import type { PlannedLine } from './types.ts'
import type { Planned, WrittenOrder } from './written.ts'

export const orderKey = ({ plan, supplier }: Pick<Planned, 'plan' | 'supplier'>) =>
  `${plan.sourceNumber.toLowerCase()} ${supplier.id}`

const Existing = Type.Object({
  id: Id,
  key: Type.String(),
  poNumber: Type.String(),
  status: Type.String(),
  currency: Nullable(Type.String()),
  rate: Nullable(Type.Number()),
  sentAt: Nullable(Timestamp),
  lastPosition: Type.Integer(),
  lineCount: Type.Integer(),
  hasCharges: Type.Boolean(),
  /** The shop has mailed, revised or received it, or changed the lines in another way: it gets no further ones. */
  isTouched: Type.Boolean(),
  /** Only imports have changed it. Null: no import that can be reverted has created it. */
  isUnchanged: Nullable(Type.Boolean()),
  /** The values before this import of the fields that new lines change; a revert restores them. */
  before: Type.Unknown(),
  /** Other rows of this import already belong to this order. */
  isTaken: Type.Boolean(),
  /** By variant. */
  lines: Type.Array(Type.Object({ variantId: Id, count: Type.Integer() })),
})
export type Existing = Static<typeof Existing>

/**
 * Orders that an import has made, by their old number and supplier; for lists of our own export also orders with our own number.
 * PO-00012 of another system is not our PO-00012. Locks them, so that no change of the merchant comes between, except for a dry
 * run: that may take minutes.
 */
export async function readExisting(
  tx: Db,
  { shopId, importId, isDryRun }: Terms,
  planned: readonly Planned[],
): Promise<Map<string, Existing>> {
  const wanted = planned.map(({ unit, plan, supplier }) => [
    plan.sourceNumber.toLowerCase(),
    supplier.id,
    unit.rows.some(({ isOwn }) => isOwn),
  ])
  const found = sql.fragment`
    with wanted as materialized (
      select distinct * from ${sql.unnest(wanted, ['text', 'int8', 'bool'])} as given (number, supplier_id, is_own)
    ),
    found as (
      select o.id, w.number || ' ' || w.supplier_id as key
      from wanted w
      join purchase_order o on o.shop_id = ${shopId} and o.is_imported and lower(o.source_number) = w.number
        and o.supplier_id = w.supplier_id
      union
      select o.id, w.number || ' ' || w.supplier_id
      from wanted w
      join purchase_order o on o.shop_id = ${shopId} and o.supplier_id = w.supplier_id
        and o.number = case when w.is_own and w.number ~ '^po-\\d{5,9}$' then substring(w.number from '\\d+')::int end
    )
  `
  if (!isDryRun) {
    await tx.query(sql.typeAlias('void')`
      ${found}
      select from purchase_order o
      where o.shop_id = ${shopId} and o.id in (select id from found)
      order by o.id
      for no key update
    `)
  }
  const rows = await tx.any(sql.type(row(Existing))`
    ${found}
    select o.id, f.key, o.po_number, o.status, o.currency, o.rate, o.sent_at, o.line_item_count as line_count,
      exists (
        select from purchase_order_charge c where c.shop_id = ${shopId} and c.purchase_order_id = o.id
      ) as has_charges,
      o.version = imported.version as is_unchanged,
      jsonb_build_object(
        'status', o.status, 'subtotal', o.subtotal, 'tax', o.tax, 'discount', o.discount, 'receivedAt', o.received_at,
        'isArrivalKnown', o.is_arrival_known, 'cancelledAt', o.cancelled_at, 'cancelledBy', o.cancelled_by
      ) as before,
      coalesce((
        select max(l.position) from purchase_order_line l where l.shop_id = ${shopId} and l.purchase_order_id = o.id
      ), -1) as last_position,
      not o.is_imported or o.revision > 0
        or (o.version <> imported.version and (o.status in ('draft', 'cancelled') or o.closed_at is not null))
        or exists (select from outgoing_mail m where m.shop_id = ${shopId} and m.purchase_order_id = o.id)
        or exists (
          select from receipt r
          where r.shop_id = ${shopId} and r.purchase_order_id = o.id and (not r.is_imported or r.reversed_at is not null)
        ) as is_touched,
      o.id in (
        select i.target_id
        from import_row i
        where i.shop_id = ${shopId} and i.import_id = ${importId} and i.state in ('new', 'same', 'changed')
          and i.target = 'purchase_order' and i.target_id is not null
      ) as is_taken,
      (
        select coalesce(jsonb_agg(jsonb_build_object('variantId', variant_id, 'count', count)), '[]')
        from (
          select l.variant_id, count(*)
          from purchase_order_line l
          where l.shop_id = ${shopId} and l.purchase_order_id = o.id
          group by l.variant_id
        ) x
      ) as lines
    from found f
    join purchase_order o on o.shop_id = ${shopId} and o.id = f.id
    left join lateral (
      select max(coalesce((t.before->>'version')::int, t.version)) as version
      from import_target t
      where t.shop_id = ${shopId} and t.target = 'purchase_order' and t.target_id = o.id
    ) imported on true
    order by o.id desc
  `)
  return new Map(rows.map((each) => [each.key, each]))
}

/**
 * Stores the versions in which an import leaves these orders, so that a later change by the merchant is recognised, and the
 * state of an order before the first import that added lines to it.
 */
export async function keepVersions(tx: Db, shopId: number, orders: readonly WrittenOrder[]): Promise<void> {
  if (orders.length === 0) return
  const records = orders.map(({ id, lines, known }) => ({
    id,
    before: lines.length > 0 ? (known?.before ?? null) : null,
  }))
  const orderIds = arrayOf('int8', orders, ({ id }) => id)
  await tx.query(sql.typeAlias('void')`
    with extended as materialized (
      select distinct parent_id as id
      from import_target
      where shop_id = ${shopId} and target = 'purchase_order_line' and parent_id = any(${orderIds})
    ),
    n as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (id bigint, before jsonb)
    )
    update import_target t
    set before = coalesce(t.before, '{}') || jsonb_build_object('version', o.version) || case
      when n.before is null or n.id in (select id from extended) then '{}'
      else jsonb_build_object('order', n.before)
    end
    from n
    join purchase_order o on o.shop_id = ${shopId} and o.id = n.id
    where t.shop_id = ${shopId} and t.target = 'purchase_order' and t.target_id = n.id
  `)
}

/** The lines that the order does not have: of three lines of a variant, an order with one lacks two. */
export function missingLines(lines: readonly PlannedLine[], { lines: stored }: Existing): PlannedLine[] {
  const left = new Map(stored.map(({ variantId, count }) => [variantId, count]))
  return lines.filter(({ variant }) => {
    const count = left.get(variant.id) ?? 0
    left.set(variant.id, count - 1)
    return count <= 0
  })
}
