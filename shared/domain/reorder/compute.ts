import { type Db, sql } from '../../db/db.ts'
import { type RuleDemand, readDemand } from './demand.ts'
import { refreshRules } from './low-stock.ts'
import { reorderPointOf } from './reorder-point.ts'
import { lockRules } from './rule-changes.ts'

/** A batch is two statements whose memory is bounded by it, and holds its rules for a fraction of a second. */
const rulesPerBatch = 300

/** Computes points and quantities of some rules, those among them that are automatic. The caller refreshes the rules. */
export async function computeRules(tx: Db, shopId: number, ruleIds: readonly number[]): Promise<void> {
  const wanted = sql.fragment`r.id = any(${sql.array([...ruleIds], 'int8')})`
  await writePoints(tx, shopId, await readDemand(tx, shopId, wanted, ruleIds.length))
}

/**
 * Computes the points of a batch of automatic rules behind this one, with `isOnlyNew` those that were not computed
 * yet. Answers the last rule of the batch; null behind the last.
 */
export async function computeRuleBatch(
  tx: Db,
  shopId: number,
  afterRuleId: number,
  { isOnlyNew }: { isOnlyNew: boolean },
): Promise<number | null> {
  const wanted = sql.fragment`${sql.and([
    sql.fragment`r.id > ${afterRuleId}`,
    isOnlyNew && sql.fragment`r.computed_at is null`,
  ])}`
  await lockRules(tx, shopId, await variantsOf(tx, shopId, wanted))
  const rules = await readDemand(tx, shopId, wanted, rulesPerBatch)
  await writePoints(tx, shopId, rules)
  await refreshRules(
    tx,
    shopId,
    rules.map(({ variantId }) => variantId),
  )
  return rules.length === rulesPerBatch ? (rules.at(-1)?.id ?? null) : null
}

/** Other rules of the same variants are locked with those of the batch, in one order: they are refreshed with them. */
function variantsOf(
  tx: Db,
  shopId: number,
  wanted: ReturnType<typeof sql.fragment>,
): Promise<readonly number[]> {
  return tx.anyFirst(sql.typeAlias('id')`
    select r.variant_id as id
    from reorder_rule r
    where r.shop_id = ${shopId} and r.mode = 'auto' and ${wanted}
    order by r.id
    limit ${rulesPerBatch}
  `)
}

async function writePoints(tx: Db, shopId: number, rules: readonly RuleDemand[]): Promise<void> {
  if (rules.length === 0) return
  const rows = rules.map((rule) => {
    const measured = { orders: rule.measuredOrders, mean: rule.meanDays, deviation: rule.deviationDays }
    const { reorderPoint, reorderQuantity, inputs } = reorderPointOf(rule, measured, rule)
    return [rule.id, reorderPoint, reorderQuantity, JSON.stringify(inputs)]
  })
  await tx.query(sql.typeAlias('void')`
    update reorder_rule r
    set reorder_point = computed.point, reorder_quantity = computed.quantity, inputs = computed.inputs,
      computed_at = now()
    from ${sql.unnest(rows, ['int8', 'int4', 'int4', 'jsonb'])} as computed (id, point, quantity, inputs)
    where r.shop_id = ${shopId} and r.id = computed.id
  `)
}
