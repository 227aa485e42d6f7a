import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { type RuleDemand, readDemand } from './demand.ts'
import { refreshRules } from './low-stock.ts'
import { reorderPointOf } from './reorder-point.ts'
import { lockRules } from './rule-changes.ts'

const RuleKey = Type.Object({ id: Id, variantId: Id })

/** Bounds the memory of a batch, and keeps its rules locked for less than a second. */
const rulesPerBatch = 300

/** Computes point and quantity of the automatic ones among these rules. The caller must then call `refreshRules`. */
export async function computeRules(tx: Db, shopId: number, ruleIds: readonly number[]): Promise<void> {
  await writePoints(tx, shopId, await readDemand(tx, shopId, ruleIds))
}

/** Computes the next automatic rules (`isOnlyNew`: never computed); returns the last id, null after the last batch. */
export async function computeRuleBatch(
  tx: Db,
  shopId: number,
  afterRuleId: number,
  { isOnlyNew }: { isOnlyNew: boolean },
): Promise<number | null> {
  const batch = await tx.any(sql.type(row(RuleKey))`
    select id, variant_id
    from reorder_rule
    where ${sql.and([
      sql.fragment`shop_id = ${shopId} and mode = 'auto' and id > ${afterRuleId}`,
      isOnlyNew && sql.fragment`computed_at is null`,
    ])}
    order by id
    limit ${rulesPerBatch}
  `)
  const ruleIds = batch.map(({ id }) => id)
  const variantIds = batch.map(({ variantId }) => variantId)
  // all rules of these variants are locked in one order, since `refreshRules` updates the other ones too
  await lockRules(tx, shopId, variantIds)
  await computeRules(tx, shopId, ruleIds)
  await refreshRules(tx, shopId, variantIds)
  return batch.length === rulesPerBatch ? (batch.at(-1)?.id ?? null) : null
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
