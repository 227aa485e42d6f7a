import type { Db } from '../../../db/db.ts'
import type { ImportFault } from '../../../schemas/import-fault.ts'
import type { ImportedReorderRules, ReorderImport } from '../../../schemas/reorder-rules.ts'
import { type NamedRow, resolveNames } from '../../kit/csv/names.ts'
import { invalidRows } from '../../kit/csv/rows.ts'
import { lockVariants } from '../../ledgers/stock/move.ts'
import { readImportRows } from './import-rows.ts'
import { lockRules, maxTooLow, mergeRule, type RuleToWrite, ruleKey } from './rule-changes.ts'
import { saveMerged } from './save-rules.ts'

/** All rows or none. A dry run returns the faults of every invalid row; otherwise throws them as invalid_rows. */
export function importReorderRules(
  db: Db,
  shopId: number,
  actor: string,
  { csv, dryRun }: ReorderImport,
): Promise<ImportedReorderRules> {
  return db.transaction(async (tx) => {
    const { rows, rowCount, faults, headingOf } = readImportRows(csv)
    const resolved = await resolveNames(tx, shopId, rows)
    const variantIds = resolved.named.map(({ change }) => change.variantId)
    if (!dryRun) await lockVariants(tx, shopId, variantIds)
    const existing = await lockRules(tx, shopId, variantIds)
    const merged = mergeRows(resolved.named, existing)
    const all = [...faults, ...resolved.faults, ...merged.faults]
      .map((fault) => (fault.row === 1 ? fault : { ...fault, field: headingOf(fault.field) }))
      .sort((a, b) => a.row - b.row)
    if (dryRun) return { rows: rowCount, ...countChanges(merged.rules, existing, all), faults: all }
    if (all.length > 0) throw invalidRows(all)
    return { rows: rowCount, ...(await saveMerged(tx, shopId, actor, merged.rules, existing)), faults: [] }
  })
}

function mergeRows(
  rows: readonly NamedRow[],
  existing: Awaited<ReturnType<typeof lockRules>>,
): { rules: RuleToWrite[]; faults: ImportFault[] } {
  const faults: ImportFault[] = []
  const firstOf = new Map<string, number>()
  const rules = rows.map(({ row, change }) => {
    const key = ruleKey(change)
    const { rule, missing, isMaxTooLow } = mergeRule(existing.get(key), change)
    faults.push(...missing.map((field) => ({ row, field, message: 'is required for a rule in manual mode' })))
    if (isMaxTooLow) faults.push({ row, field: 'maxLevel', message: maxTooLow })
    const first = firstOf.get(key)
    if (first === undefined) firstOf.set(key, row)
    else faults.push({ row, field: '', message: `repeats the product and location of row ${first}` })
    return rule
  })
  return { rules, faults }
}

function countChanges(
  rules: readonly RuleToWrite[],
  existing: ReadonlyMap<string, unknown>,
  faults: readonly ImportFault[],
): { created: number; updated: number } {
  if (faults.length > 0) return { created: 0, updated: 0 }
  const updated = rules.filter((rule) => existing.has(ruleKey(rule))).length
  return { created: rules.length - updated, updated }
}
