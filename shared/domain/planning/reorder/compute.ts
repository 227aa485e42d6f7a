import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { Id } from '../../../schemas/common.ts'
import { minKnownDays } from '../../ledgers/demand/known-days.ts'
import { refreshRules } from '../../ledgers/stock/low-stock.ts'
import { leadTimeOf, reorderPointOf } from '../supply/reorder-point.ts'
import { serviceLevelOf } from '../supply/service-level.ts'
import { type RuleDemand, readDemand } from './demand.ts'
import { forecastPointOf } from './forecast-point.ts'
import { lockRules } from './rule-changes.ts'

const RuleKey = Type.Object({ id: Id, variantId: Id })

/** Bounds the memory of a batch, and keeps its rules locked for less than a second. */
const rulesPerBatch = 300

/** Computes point and quantity of the automatic ones among these rules. The caller must then call `refreshRules`. */
export async function computeRules(tx: Db, shopId: number, ruleIds: readonly number[]): Promise<void> {
  await writePoints(tx, shopId, await readDemand(tx, shopId, ruleIds))
}

/** Computes the automatic ones among these rules in a transaction of their own. */
export async function computeChangedRules(tx: Db, shopId: number, ruleIds: readonly number[]): Promise<void> {
  const variantIds = await tx.anyFirst(sql.typeAlias('id')`
    select distinct variant_id as id
    from reorder_rule
    where shop_id = ${shopId} and mode = 'auto' and id = any(${sql.array([...ruleIds], 'int8')})
  `)
  await lockRules(tx, shopId, variantIds)
  await computeRules(tx, shopId, ruleIds)
  await refreshRules(tx, shopId, variantIds)
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

/** A rule without a forecast and without enough known days counts as not computed: no suggestion uses its numbers. */
async function writePoints(tx: Db, shopId: number, all: readonly RuleDemand[]): Promise<void> {
  const isKnown = (rule: RuleDemand) => rule.week !== null || rule.knownDays >= minKnownDays
  const rules = all.filter(isKnown)
  const unknown = all.filter((rule) => !isKnown(rule)).map(({ id }) => id)
  if (unknown.length > 0) {
    await tx.query(sql.typeAlias('void')`
      update reorder_rule
      set computed_at = null, inputs = null
      where shop_id = ${shopId} and id = any(${sql.array(unknown, 'int8')}) and computed_at is not null
    `)
  }
  if (rules.length === 0) return
  const rows = rules.map((rule) => {
    const { reorderPoint, reorderQuantity, inputs } = pointOf(rule)
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

/** Computes a point from the forecast where one is usable, else from the sales of 90 days. */
function pointOf(demand: RuleDemand) {
  const rule = { ...demand, serviceLevel: demand.chosenServiceLevel ?? serviceLevelOf(demand.abcClass) }
  const measured = { orders: rule.measuredOrders, mean: rule.meanDays, deviation: rule.deviationDays }
  const ofSales = reorderPointOf(rule, measured, rule)
  const { week, ahead, model, standardError } = rule
  if (week === null || ahead === null || model === null) return ofSales
  const leadTime = leadTimeOf(measured, rule.supplierDays)
  const forecast = { ...rule, week, units: ahead, model, standardError: standardError ?? 0 }
  const { inputs, ...numbers } = forecastPointOf(forecast, leadTime, rule)
  return { ...numbers, inputs: { ...ofSales.inputs, ...inputs } }
}
