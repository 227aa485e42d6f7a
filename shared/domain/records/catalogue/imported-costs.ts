import { type Db, sql } from '../../../db/db.ts'

/** Stores unit costs of an import. The caller must have locked the variants, and follows the costs in the ledger. */
export async function storeImportedCosts(
  tx: Db,
  shopId: number,
  costs: readonly { id: number; cost: number }[],
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update variant v
    set unit_cost = given.cost, cost_source = 'import', cost_at = ${new Date().toISOString()}
    from ${sql.unnest(
      costs.map(({ id, cost }) => [id, cost]),
      ['int8', 'numeric'],
    )} as given (id, cost)
    where v.shop_id = ${shopId} and v.id = given.id
  `)
}

/** The cost of a variant from before an import, and the one that the import stored. */
export type CostToRestore = { id: number; imported: number; cost: number | null; source: string | null }

/** Restores unit costs that are still those of the import; returns these variants. The caller must have locked the variants. */
export const restoreImportedCosts = (
  tx: Db,
  shopId: number,
  costs: readonly CostToRestore[],
): Promise<readonly number[]> =>
  tx.anyFirst(sql.typeAlias('id')`
    update variant v
    set unit_cost = given.cost, cost_source = given.source,
      cost_at = case when given.cost is not null then ${new Date().toISOString()}::timestamptz end
    from ${sql.unnest(
      costs.map(({ id, imported, cost, source }) => [id, imported, cost, source]),
      ['int8', 'numeric', 'numeric', 'text'],
    )} as given (id, imported, cost, source)
    where v.shop_id = ${shopId} and v.id = given.id and v.cost_source = 'import' and v.unit_cost = given.imported
    returning v.id
  `)
