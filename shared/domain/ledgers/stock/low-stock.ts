import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'

/*
 * Maintains `reorder_rule.current_stock` and the low-stock alerts. Lock order of a stock change: documents, variants,
 * levels, rules, each by id. The stock is summed in a statement after the one that locks the rule. So of two concurrent
 * changes to different levels of a variant, the second sums both.
 */

/**
 * Updates the current stock of these variants' rules, and raises or resolves their alerts: an alert is open while the
 * stock is below the reorder point plus the shop's threshold. Must run in the transaction that changed the levels.
 * Costs one index lookup for variants without rules.
 */
export async function refreshRules(tx: Db, shopId: number, variantIds: readonly number[]): Promise<void> {
  const ids = sql.array([...new Set(variantIds)], 'int8')
  await tx.query(sql.typeAlias('void')`select from refresh_rules(${shopId}, ${ids})`)
}

/** Alerts before the platform reports the new level (specification, topic ORDERS_CREATE); resolves no alerts. */
export async function checkSoldVariants(
  tx: Db,
  shopId: number,
  variantGids: readonly string[],
): Promise<void> {
  if (variantGids.length === 0) return
  const gids = sql.array([...variantGids], 'text')
  await tx.query(sql.typeAlias('void')`
    select from refresh_rules(
      ${shopId}, array(select id from variant where shop_id = ${shopId} and gid = any(${gids})), is_only_raising => true
    )
  `)
}

const CheckedRule = Type.Object({ id: Id, variantId: Id })
const rulesPerBatch = 300

/** Refreshes the next rules; returns the last id, null after the last batch. Resolves alerts of deleted variants. */
export async function checkRules(tx: Db, shopId: number, afterRuleId: number): Promise<number | null> {
  const rules = await tx.any(sql.type(row(CheckedRule))`
    select id, variant_id
    from reorder_rule
    where shop_id = ${shopId} and id > ${afterRuleId}
    order by id
    limit ${rulesPerBatch}
  `)
  await refreshRules(
    tx,
    shopId,
    rules.map(({ variantId }) => variantId),
  )
  return rules.length < rulesPerBatch ? null : (rules.at(-1)?.id ?? null)
}
