import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import type { ReorderSuggestion } from '../../schemas/reorder-suggestions.ts'

const Cost = Type.Object({ variantId: Type.String(), supplierId: Id, cost: Type.Number() })

/** Unit costs by `<variantId> <supplierId>`: the supplier's last uncancelled price, else the variant's cost, else 0. */
export async function readCosts(
  tx: Db,
  shopId: number,
  suggestions: readonly Pick<ReorderSuggestion, 'variantId' | 'supplierId'>[],
): Promise<ReadonlyMap<string, number>> {
  const rows = suggestions.flatMap(({ variantId, supplierId }) =>
    supplierId === null ? [] : [[variantId, supplierId]],
  )
  const costs: readonly Static<typeof Cost>[] = await tx.any(sql.type(row(Cost))`
    select wanted.variant_id, wanted.supplier_id, coalesce(last.cost_price, v.unit_cost, 0) as cost
    from (select distinct * from ${sql.unnest(rows, ['text', 'int8'])} as input) as wanted (variant_id, supplier_id)
    join variant v on v.shop_id = ${shopId} and v.gid = wanted.variant_id
    left join lateral (
      select l.cost_price
      from purchase_order_line l
      join purchase_order o on o.shop_id = l.shop_id and o.id = l.purchase_order_id
      where l.shop_id = v.shop_id and l.variant_id = v.id and o.supplier_id = wanted.supplier_id
        and o.status <> 'cancelled'
      order by l.id desc
      limit 1
    ) last on true
  `)
  return new Map(costs.map(({ variantId, supplierId, cost }) => [`${variantId} ${supplierId}`, cost]))
}
