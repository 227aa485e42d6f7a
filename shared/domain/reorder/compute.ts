import { type Db, sql } from '../../db/db.ts'
import { type RuleDemand, readDemand } from './demand.ts'
import { refreshRules } from './low-stock.ts'
import { reorderPointOf } from './reorder-point.ts'
import { lockRules } from './rule-changes.ts'

/** Bounds the memory of a batch, and keeps its rules locked for less than a second. */
const rulesPerBatch = 300

/** Computes point and quantity of the automatic ones among these rules. The caller must then call `refreshRules`. */
export async function computeRules(tx: Db, shopId: number, ruleIds: readonly number[]): Promise<void> {
  const chosen = sql.fragment`r.id = any(${sql.array([...ruleIds], 'int8')})`
  await writePoints(tx, shopId, await readDemand(tx, shopId, chosen, ruleIds.length))
}

/** Computes the next automatic rules (`isOnlyNew`: never computed); returns the last id, null after the last batch. */
export async function computeRuleBatch(
  tx: Db,
  shopId: number,
  afterRuleId: number,
  { isOnlyNew }: { isOnlyNew: boolean },
): Promise<number | null> {
  const chosen = sql.fragment`${sql.and([
    sql.fragment`r.id > ${afterRuleId}`,
    isOnlyNew && sql.fragment`r.computed_at is null`,
  ])}`
  await lockRules(tx, shopId, await variantsOf(tx, shopId, chosen))
  const rules = await readDemand(tx, shopId, chosen, rulesPerBatch)
  await writePoints(tx, shopId, rules)
  await refreshRules(
    tx,
    shopId,
    rules.map(({ variantId }) => variantId),
  )
  return rules.length === rulesPerBatch ? (rules.at(-1)?.id ?? null) : null
}

/** All rules of these variants are locked in one order, since `refreshRules` updates the other ones too. */
function variantsOf(
  tx: Db,
  shopId: number,
  chosen: ReturnType<typeof sql.fragment>,
): Promise<readonly number[]> {
  return tx.anyFirst(sql.typeAlias('id')`
    select r.variant_id as id
    from reorder_rule r
    where r.shop_id = ${shopId} and r.mode = 'auto' and ${chosen}
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
