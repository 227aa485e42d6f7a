import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import type { ReorderSuggestion } from '../../schemas/reorder-suggestions.ts'
import { lastPrice } from '../catalogue/products.ts'

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
      ${lastPrice(shopId, sql.fragment`v.id`, sql.fragment`wanted.supplier_id`)}
    ) last on true
  `)
  return new Map(costs.map(({ variantId, supplierId, cost }) => [`${variantId} ${supplierId}`, cost]))
}
