import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id, Nullable, Timestamp } from '../../../schemas/common.ts'
import type { Terms } from '../load.ts'
import type { PlannedLine } from './types.ts'
import type { Planned } from './written.ts'

export const orderKey = ({ plan, supplier }: Pick<Planned, 'plan' | 'supplier'>) =>
  `${plan.sourceNumber.toLowerCase()} ${supplier.id}`

const Existing = Type.Object({
  id: Id,
  key: Type.String(),
  poNumber: Type.String(),
  currency: Nullable(Type.String()),
  sentAt: Nullable(Timestamp),
  lastPosition: Type.Integer(),
  isTouched: Type.Boolean(),
  /** Other rows of this import are this order. */
  isTaken: Type.Boolean(),
  /** By variant. */
  lines: Type.Array(Type.Object({ variantId: Id, count: Type.Integer() })),
})
export type Existing = Static<typeof Existing>

/**
 * Orders that an import has made, by their old number and supplier; for lists of our own export also orders with our own number.
 * PO-00012 of another system is not our PO-00012.
 */
export async function readExisting(
  tx: Db,
  { shopId, importId }: Terms,
  planned: readonly Planned[],
): Promise<Map<string, Existing>> {
  const wanted = planned.map(({ unit, plan, supplier }) => [
    plan.sourceNumber.toLowerCase(),
    supplier.id,
    unit.rows.some(({ isOwn }) => isOwn),
  ])
  const rows = await tx.any(sql.type(row(Existing))`
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
    select o.id, f.key, o.po_number, o.currency, o.sent_at,
      coalesce((
        select max(l.position) from purchase_order_line l where l.shop_id = ${shopId} and l.purchase_order_id = o.id
      ), -1) as last_position,
      not o.is_imported or o.revision > 0
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
    order by o.id desc
  `)
  return new Map(rows.map((each) => [each.key, each]))
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
