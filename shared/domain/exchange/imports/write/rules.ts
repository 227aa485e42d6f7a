import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { arrayOf, type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { reorderFields } from '../../../../schemas/reorder-rules.ts'
import { lockVariants } from '../../../ledgers/stock/move.ts'
import {
  lockRules,
  maxTooLow,
  mergeRule,
  type RuleToWrite,
  ruleKey,
} from '../../../planning/reorder/rule-changes.ts'
import { saveMerged } from '../../../planning/reorder/save-rules.ts'
import { readerOf, type SourceRow, type Terms, type Unit } from '../load.ts'
import { type Places, readLocations } from '../locations.ts'
import { readSuppliers, type SupplierIndex } from '../match-suppliers.ts'
import type { VariantMatcher } from '../match-variants.ts'
import type { Made, Outcome } from '../outcomes.ts'

type Read = { position: number; rule: RuleToWrite }

const isHere =
  'The product has a rule here already, which stays. Change it in Reorder rules, by hand or with a file.'

/**
 * Adds reorder rules. An existing rule stays. A row with a minimum and a maximum, as of other systems, orders what is
 * between them: at a minimum of 4 and a maximum of 20, 16 pieces.
 */
export async function writeRules(
  tx: Db,
  terms: Terms,
  units: readonly Unit[],
  match: VariantMatcher,
): Promise<{ outcomes: Outcome[]; made: Made[] }> {
  const { shopId, actor } = terms
  const outcomes: Outcome[] = []
  const suppliers = await readSuppliers(tx, shopId)
  const places = await readLocations(tx, terms)
  const reads = units.flatMap(({ rows: [each] }): Read[] => {
    if (!each) return []
    const { position } = each
    const rule = readRule(each, match, suppliers, places)
    if (typeof rule === 'string') outcomes.push({ position, state: 'fault', message: rule })
    else if ('none' in rule) outcomes.push({ position, state: 'skipped', message: rule.none })
    else return [{ position, rule }]
    return []
  })
  const variantIds = reads.map(({ rule }) => rule.variantId)
  await lockVariants(tx, shopId, variantIds)
  const existing = await lockRules(tx, shopId, variantIds)
  const added = new Map<string, Read>()
  for (const each of reads) {
    const { position, rule } = each
    const key = ruleKey(rule)
    const known = existing.get(key)
    if (known && isSame(known, rule))
      outcomes.push({ position, state: 'same', target: 'reorder_rule', targetId: known.id })
    else if (known) outcomes.push({ position, state: 'skipped', message: isHere })
    else if (added.has(key))
      outcomes.push({ position, state: 'skipped', message: 'An earlier row has the rule of this product.' })
    else added.set(key, each)
  }
  if (added.size === 0) return { outcomes, made: [] }
  const rules = [...added.values()].map(({ rule }) => rule)
  await saveMerged(tx, shopId, actor, rules, existing)
  const ids = await readIds(tx, shopId, rules)
  const made: Made[] = []
  for (const [key, { position, rule }] of added) {
    const targetId = ids.get(key) ?? 0
    outcomes.push({ position, state: 'new', target: 'reorder_rule', targetId })
    made.push({ target: 'reorder_rule', targetId, before: rule })
  }
  return { outcomes, made }
}

/** Points of automatic rules are computed every night. */
const isSame = (known: RuleToWrite, rule: RuleToWrite) =>
  known.mode === rule.mode &&
  known.supplierId === rule.supplierId &&
  known.serviceLevel === rule.serviceLevel &&
  known.reviewDays === rule.reviewDays &&
  known.maxLevel === rule.maxLevel &&
  (rule.mode === 'auto' ||
    (known.reorderPoint === rule.reorderPoint && known.reorderQuantity === rule.reorderQuantity))

/** A rule, the fault of its row, or why the row says that the product has none. */
function readRule(
  each: SourceRow,
  match: VariantMatcher,
  suppliers: SupplierIndex,
  places: Places,
): RuleToWrite | { none: string } | string {
  const cells = readerOf(each)
  const whole = (field: string) => cells.number(field, each.column(field)) ?? undefined
  const reorderPoint = whole('reorderPoint')
  const quantity = whole('reorderQuantity')
  const maximum = quantity === undefined ? whole('maximum') : undefined
  const between = maximum !== undefined && reorderPoint !== undefined ? maximum - reorderPoint : undefined
  const given = {
    reorderPoint,
    reorderQuantity: quantity ?? between,
    serviceLevel: whole('serviceLevel'),
    reviewDays: whole('reviewDays'),
    maxLevel: whole('maxLevel'),
    mode: cells.text('mode', 10).toLowerCase() || undefined,
  }
  const [fault] = cells.faults
  if (fault) return fault
  const named = (field: string) => `${each.column(field)} ${each.cell(field).trim()}`
  const upper = quantity === undefined ? 'maximum' : 'reorderQuantity'
  if (given.mode !== 'auto' && reorderPoint === 0 && (quantity ?? maximum) === 0)
    return { none: `${named('reorderPoint')} and ${named(upper)} mean that the product has no rule.` }
  if (given.mode !== 'auto' && between !== undefined && between <= 0)
    return between < 0
      ? `${named(upper)} is below ${named('reorderPoint')}.`
      : `${named(upper)} is not above ${named('reorderPoint')}, so nothing would be ordered.`
  for (const [field, value] of Object.entries(given)) {
    const schema = reorderFields[field as keyof typeof reorderFields]
    const source = field === 'reorderQuantity' ? upper : field
    if (value !== undefined && !Value.Check(schema, value))
      return `${each.column(source)} "${each.cell(source).trim()}" ${schema.rule}.`
  }
  const supplierName = cells.text('supplier', 200)
  const supplier = supplierName === '' ? null : suppliers.find('', supplierName)
  if (supplierName !== '' && supplier === null)
    return `No supplier is called ${supplierName}. Import the suppliers first.`
  if (supplier && 'fault' in supplier) return supplier.fault
  const location = cells.text('location', 200)
  const locationId = location === '' ? null : places.find(location)
  if (locationId === undefined) return `No location is called ${location}. Correct the name in the file.`
  const variant = match(each)
  if ('fault' in variant) return variant.fault
  if (variant.isDeleted) return 'This product is deleted.'
  const { rule, missing, isMaxTooLow } = mergeRule(undefined, {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as object),
    variantId: variant.id,
    supplierId: supplier?.id ?? null,
    locationId,
  })
  if (missing.length > 0) return 'A rule needs a reorder point, and a reorder quantity or a maximum.'
  return isMaxTooLow ? `The maximum level ${maxTooLow}.` : rule
}

const StoredId = Type.Object({ id: Id, key: Type.String() })

async function readIds(tx: Db, shopId: number, rules: readonly RuleToWrite[]): Promise<Map<string, number>> {
  const variantIds = arrayOf('int8', rules, ({ variantId }) => variantId)
  const stored = await tx.any(sql.type(row(StoredId))`
    select id, variant_id || '/' || coalesce(location_id::text, 'all') as key
    from reorder_rule
    where shop_id = ${shopId} and variant_id = any(${variantIds})
  `)
  return new Map(stored.map(({ id, key }) => [key, id]))
}
