import { isDeepStrictEqual } from 'node:util'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound, refuseFaults } from '../../../errors.ts'
import {
  type CreatedReorderRule,
  type DeletedReorderRules,
  ReorderRule,
  type ReorderRuleInput,
  type ReorderRulePatch,
  type ReorderRulesDeletion,
} from '../../../schemas/reorder-rules.ts'
import { resolveAlert, resolveAlerts } from '../../kit/alerts/alerts.ts'
import { refreshRules } from '../../ledgers/stock/low-stock.ts'
import { lockVariants } from '../../ledgers/stock/move.ts'
import { storedServiceLevel } from '../supply/service-level.ts'
import { computeRules } from './compute.ts'
import { ruleFields, ruleJoins } from './list-rules.ts'
import {
  lockRules,
  mergeRule,
  type RuleToWrite,
  requireNumbers,
  resolveChanges,
  ruleKey,
  writeRules,
} from './rule-changes.ts'

/*
 * A rule defines when to reorder a variant and how much, for one location or for all together. In mode `manual` people
 * enter the numbers; in mode `auto` they are computed (`compute.ts`) immediately and then every night. `save-rules.ts`
 * saves many rules. Lock order: suppliers, variants, rules, each by id.
 */

/** Throws not_found. */
export async function getReorderRule(db: Db, shopId: number, id: number): Promise<ReorderRule> {
  const rule = await db.maybeOne(sql.type(row(ReorderRule))`
    select ${ruleFields}
    from reorder_rule r ${ruleJoins(shopId)}
    where r.shop_id = ${shopId} and r.id = ${id}
  `)
  if (!rule) throw notFound('Reorder rule')
  return rule
}

/** Throws conflict (same location), invalid_request (a missing number), and the errors of `resolveChanges`. */
export function createReorderRule(
  db: Db,
  shopId: number,
  actor: string,
  input: ReorderRuleInput,
): Promise<CreatedReorderRule> {
  return db.transaction(async (tx) => {
    const merged = mergeRule(undefined, await resolveChange(tx, shopId, input))
    requireNumbers([merged], () => '')
    const { rule } = merged
    await lockVariants(tx, shopId, [rule.variantId])
    if ((await lockRules(tx, shopId, [rule.variantId])).has(ruleKey(rule))) throw isTaken()
    const [id = 0] = await writeRules(tx, shopId, actor, [rule])
    await computeAndRefresh(tx, shopId, id, rule)
    const { variantId, reorderPoint, reorderQuantity, supplierId } = await getReorderRule(tx, shopId, id)
    return { id, variantId, reorderPoint, reorderQuantity, supplierId }
  })
}

/**
 * `null` clears a field; without a mode, a number makes it manual. A patch that changes nothing computes nothing.
 * Throws not_found, conflict, and the errors of `resolveChanges`.
 */
export function updateReorderRule(
  db: Db,
  shopId: number,
  id: number,
  patch: ReorderRulePatch,
): Promise<ReorderRule> {
  return db.transaction(async (tx) => {
    const before = await getReorderRule(tx, shopId, id)
    const change = await resolveChange(tx, shopId, withoutSameIds(patch, before))
    const variantIds = await variantRows(tx, shopId, [before.variantId, patch.variantId ?? before.variantId])
    await lockVariants(tx, shopId, variantIds)
    const rules = await lockRules(tx, shopId, variantIds)
    const existing = [...rules.values()].find((rule) => rule.id === id)
    if (!existing) throw conflict('This rule was just changed by another user. Reload it.')
    const merged = mergeRule(existing, change)
    requireNumbers([merged], () => '')
    const { rule } = merged
    if ((rules.get(ruleKey(rule)) ?? existing).id !== id) throw isTaken()
    if (isDeepStrictEqual({ ...rule, id }, { ...existing })) return getReorderRule(tx, shopId, id)
    await tx.query(sql.typeAlias('void')`
      update reorder_rule
      set variant_id = ${rule.variantId}, location_id = ${rule.locationId}::bigint,
        supplier_id = ${rule.supplierId}::bigint, mode = ${rule.mode}, reorder_point = ${rule.reorderPoint},
        reorder_quantity = ${rule.reorderQuantity}, service_level = ${storedServiceLevel(rule.serviceLevel).level},
        is_level_by_class = ${storedServiceLevel(rule.serviceLevel).isByClass},
        review_days = ${rule.reviewDays}, max_level = ${rule.maxLevel}::int, inputs = null, computed_at = null, updated_at = now()
      where shop_id = ${shopId} and id = ${id}
    `)
    const isMoved = ruleKey(rule) !== ruleKey(existing)
    if (isMoved) await resolveAlert(tx, shopId, { type: 'low_stock', subject: `reorder_rule/${id}` })
    await computeAndRefresh(tx, shopId, id, rule)
    return getReorderRule(tx, shopId, id)
  })
}

/** Deletes a rule and resolves its alert. Throws not_found. */
export function deleteReorderRule(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    const deleted = await tx.maybeOne(sql.typeAlias('id')`
      delete from reorder_rule where shop_id = ${shopId} and id = ${id} returning id
    `)
    if (!deleted) throw notFound('Reorder rule')
    await resolveAlert(tx, shopId, { type: 'low_stock', subject: `reorder_rule/${id}` })
    return { message: 'Reorder rule deleted.' }
  })
}

/** Deletes rules, all or none, and resolves their alerts. Throws unknown_rule. */
export function deleteReorderRules(
  db: Db,
  shopId: number,
  { ids }: ReorderRulesDeletion,
): Promise<DeletedReorderRules> {
  return db.transaction(async (tx) => {
    const locked = await tx.anyFirst(sql.typeAlias('id')`
      select id from reorder_rule where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')}) order by id
      for update
    `)
    const known = new Set(locked)
    const faults = ids.flatMap((id, at) =>
      known.has(id) ? [] : [{ path: `/ids/${at}`, message: 'is not a reorder rule of this shop' }],
    )
    refuseFaults('unknown_rule', 'A selected reorder rule no longer exists. Reload the list.', faults)
    await tx.query(sql.typeAlias('void')`
      delete from reorder_rule where shop_id = ${shopId} and id = any(${sql.array([...ids], 'int8')})
    `)
    const subjects = arrayOf('text', ids, (id) => `reorder_rule/${id}`)
    await resolveAlerts(tx, shopId, sql.fragment`type = 'low_stock' and subject = any(${subjects})`)
    return { deleted: known.size }
  })
}

async function computeAndRefresh(
  tx: Db,
  shopId: number,
  id: number,
  { mode, variantId }: RuleToWrite,
): Promise<void> {
  if (mode === 'auto') await computeRules(tx, shopId, [id])
  await refreshRules(tx, shopId, [variantId])
}

/** A rule keeps a variant that was deleted, a location out of use, and its supplier, when a patch repeats them. */
function withoutSameIds(patch: ReorderRulePatch, before: ReorderRule): ReorderRulePatch {
  const { variantId, locationId, supplierId, ...rest } = patch
  return {
    ...rest,
    ...(variantId !== before.variantId && { variantId }),
    ...(locationId !== before.locationId && { locationId }),
    ...(supplierId !== before.supplierId && { supplierId }),
  }
}

async function resolveChange(tx: Db, shopId: number, patch: ReorderRulePatch) {
  const [change = {}] = await resolveChanges(tx, shopId, [patch], () => '')
  return change
}

/** Also finds deleted variants, since a rule may still have one. */
function variantRows(tx: Db, shopId: number, gids: readonly string[]): Promise<readonly number[]> {
  return tx.anyFirst(sql.typeAlias('id')`
    select id from variant where shop_id = ${shopId} and gid = any(${sql.array([...gids], 'text')})
  `)
}

const isTaken = () =>
  conflict('A reorder rule for this product and location already exists. Change it instead.')
