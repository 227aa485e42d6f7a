import type { Db } from '../../../db/db.ts'
import type { ImportedReorderRules, ReorderImport } from '../../../schemas/reorder-rules.ts'
import { importRows, repeatedRows } from '../../kit/csv/import-rows.ts'
import { readRows } from '../../kit/csv/importer.ts'
import { resolveNames } from '../../kit/csv/names.ts'
import { lockVariants } from '../../ledgers/stock/move.ts'
import { ruleFile } from './import-file.ts'
import { lockRules, maxTooLow, mergeRule, ruleKey } from './rule-changes.ts'
import { countSaved, saveMerged } from './save-rules.ts'

/** All rows or none, as `importRows` does. A row changes the rule of its product and location, or creates it. */
export const importReorderRules = (
  db: Db,
  shopId: number,
  actor: string,
  { csv, dryRun }: ReorderImport,
): Promise<ImportedReorderRules> =>
  importRows(db, dryRun, async (tx) => {
    const file = readRows(csv, ruleFile)
    const { named, ...resolved } = await resolveNames(tx, shopId, file.rows)
    const variantIds = named.map(({ change }) => change.variantId)
    if (!dryRun) await lockVariants(tx, shopId, variantIds)
    const existing = await lockRules(tx, shopId, variantIds)
    const merged = named.map(({ row, change }) => ({
      row,
      ...mergeRule(existing.get(ruleKey(change)), change),
    }))
    const faults = merged.flatMap(({ row, missing, isMaxTooLow }) => [
      ...missing.map((field) => ({ row, field, message: 'is required for a rule in manual mode' })),
      ...(isMaxTooLow ? [{ row, field: 'maxLevel', message: maxTooLow }] : []),
    ])
    const repeated = repeatedRows(named, ({ change }) => ruleKey(change))
    const rules = merged.map(({ rule }) => rule)
    return {
      file,
      faults: [...resolved.faults, ...faults, ...repeated],
      nothing: { created: 0, updated: 0 },
      preview: () => countSaved(rules, existing),
      write: () => saveMerged(tx, shopId, actor, rules, existing),
    }
  })
