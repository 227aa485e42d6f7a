import type { Db } from '../../../db/db.ts'
import { type Fault, unprocessable } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { ReorderRulesInput, SavedReorderRules } from '../../../schemas/reorder-rules.ts'
import { refreshRules } from '../../ledgers/stock/low-stock.ts'
import { lockVariants } from '../../ledgers/stock/move.ts'
import {
  lockRules,
  mergeRule,
  type RuleToWrite,
  requireNumbers,
  resolveChanges,
  ruleKey,
  writeRules,
} from './rule-changes.ts'

/**
 * Creates or updates rules, all or none; a job computes the automatic ones. Throws duplicate_rule for two rules of the
 * same variant and location, invalid_request when a manual rule lacks a number, and the errors of `resolveChanges`.
 */
export function saveReorderRules(
  db: Db,
  shopId: number,
  actor: string,
  { rules: inputs }: ReorderRulesInput,
): Promise<SavedReorderRules> {
  return db.transaction(async (tx) => {
    const changes = await resolveChanges(tx, shopId, inputs, (at) => `/rules/${at}`)
    const variantIds = changes.map(({ variantId = 0 }) => variantId)
    await lockVariants(tx, shopId, variantIds)
    const existing = await lockRules(tx, shopId, variantIds)
    const merged = changes.map((change) =>
      mergeRule(existing.get(ruleKey({ ...change, variantId: change.variantId ?? 0 })), change),
    )
    const rules = merged.map(({ rule }) => rule)
    refuseRepeated(rules)
    requireNumbers(merged, (at) => `/rules/${at}`)
    return saveMerged(tx, shopId, actor, rules, existing)
  })
}

/** Writes rules, enqueues the job that computes the automatic ones, and counts by `existing` which ones are new. */
export async function saveMerged(
  tx: Db,
  shopId: number,
  actor: string,
  rules: readonly RuleToWrite[],
  existing: ReadonlyMap<string, unknown>,
): Promise<SavedReorderRules> {
  await writeRules(tx, shopId, actor, rules)
  if (rules.some(({ mode }) => mode === 'auto')) {
    await enqueue(tx, jobs.recomputeReorderPoints, { shopId, isOnlyNew: true })
  }
  const variantIds = rules.map(({ variantId }) => variantId)
  await refreshRules(tx, shopId, variantIds)
  return countSaved(rules, existing)
}

/** What `saveMerged` returns. */
export function countSaved(
  rules: readonly RuleToWrite[],
  existing: ReadonlyMap<string, unknown>,
): SavedReorderRules {
  const updated = rules.filter((rule) => existing.has(ruleKey(rule))).length
  return { created: rules.length - updated, updated }
}

function refuseRepeated(rules: readonly RuleToWrite[]): void {
  const seen = new Set<string>()
  const faults = rules.flatMap((rule, at): Fault[] => {
    const isFirst = !seen.has(ruleKey(rule))
    seen.add(ruleKey(rule))
    return isFirst
      ? []
      : [{ path: `/rules/${at}/variantId`, message: 'repeats the product and location of an earlier rule' }]
  })
  if (faults.length === 0) return
  throw unprocessable(
    'duplicate_rule',
    'Two rules are for the same product and location. Remove one of them.',
    faults,
  )
}
