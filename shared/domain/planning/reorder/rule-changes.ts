import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { ReorderMode, type ReorderRulePatch } from '../../../schemas/reorder-rules.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { requireSuppliers } from '../../records/suppliers/suppliers.ts'
import { chosenServiceLevel, storedServiceLevel } from '../supply/service-level.ts'

/** A requested change of a rule, with row ids instead of platform ids. Omitted fields stay unchanged. */
export type RuleChange = Omit<ReorderRulePatch, 'variantId' | 'locationId'> & {
  variantId?: number
  locationId?: number | null
}

const StoredRule = Type.Object({
  id: Id,
  variantId: Id,
  locationId: Nullable(Id),
  supplierId: Nullable(Id),
  mode: ReorderMode,
  reorderPoint: Type.Integer(),
  reorderQuantity: Type.Integer(),
  /** Null: that of the ABC class. */
  serviceLevel: Nullable(Type.Integer()),
  reviewDays: Type.Integer(),
  maxLevel: Nullable(Type.Integer()),
})
type StoredRule = Static<typeof StoredRule>
export type RuleToWrite = Omit<StoredRule, 'id'>

/** A variant has at most one rule per location and one for all locations together. */
export const ruleKey = ({ variantId, locationId }: { variantId: number; locationId?: number | null }) =>
  `${variantId}/${locationId ?? 'all'}`

/**
 * Resolves the ids in changes to row ids, and locks their suppliers `for share`. `pathOf` returns the request path of
 * the change at an index. Throws the errors of `resolveLevelKeys` and `requireSuppliers`.
 */
export async function resolveChanges(
  tx: Db,
  shopId: number,
  patches: readonly ReorderRulePatch[],
  pathOf: (index: number) => string,
): Promise<RuleChange[]> {
  const idsOf = <F extends 'variantId' | 'locationId' | 'supplierId'>(field: F) =>
    patches.flatMap(({ [field]: id }, at) =>
      id === null || id === undefined ? [] : [{ at, id, path: `${pathOf(at)}/${field}` }],
    )
  await requireSuppliers(tx, shopId, idsOf('supplierId'))
  const [variants, locations] = [idsOf('variantId'), idsOf('locationId')]
  const resolved = await resolveLevelKeys(tx, shopId, { variants, locations })
  const variantAt = new Map(variants.map(({ at }, index) => [at, resolved.variants[index]]))
  const locationAt = new Map(locations.map(({ at }, index) => [at, resolved.locations[index]]))
  return patches.map(({ variantId: _variant, locationId, ...change }, at) => {
    const variantRow = variantAt.get(at)
    return {
      ...change,
      ...(variantRow !== undefined && { variantId: variantRow }),
      ...(locationId !== undefined && { locationId: locationAt.get(at) ?? null }),
    }
  })
}

/**
 * A number without a mode makes the rule manual: no job overwrites it. `missing`: absent required fields.
 * `isMaxTooLow`: a maximum level that is not above the point of a manual rule, so that an order up to it would not help.
 */
export function mergeRule(
  existing: StoredRule | undefined,
  change: RuleChange,
): { rule: RuleToWrite; missing: ('reorderPoint' | 'reorderQuantity')[]; isMaxTooLow: boolean } {
  const hasNumbers = change.reorderPoint !== undefined || change.reorderQuantity !== undefined
  const mode = change.mode ?? (hasNumbers ? 'manual' : (existing?.mode ?? 'manual'))
  const reorderPoint = change.reorderPoint ?? existing?.reorderPoint
  const reorderQuantity = change.reorderQuantity ?? existing?.reorderQuantity
  const isManual = mode === 'manual'
  const maxLevel = change.maxLevel === undefined ? (existing?.maxLevel ?? null) : change.maxLevel
  return {
    rule: {
      variantId: change.variantId ?? existing?.variantId ?? 0,
      locationId: change.locationId === undefined ? (existing?.locationId ?? null) : change.locationId,
      supplierId: change.supplierId === undefined ? (existing?.supplierId ?? null) : change.supplierId,
      mode,
      reorderPoint: reorderPoint ?? 0,
      reorderQuantity: reorderQuantity ?? 1,
      serviceLevel:
        change.serviceLevel === undefined ? (existing?.serviceLevel ?? null) : change.serviceLevel,
      reviewDays: change.reviewDays ?? existing?.reviewDays ?? 7,
      maxLevel,
    },
    missing: [
      ...(isManual && reorderPoint === undefined ? (['reorderPoint'] as const) : []),
      ...(isManual && reorderQuantity === undefined ? (['reorderQuantity'] as const) : []),
    ],
    isMaxTooLow: isManual && maxLevel !== null && maxLevel <= (reorderPoint ?? 0),
  }
}

export const maxTooLow = 'must be above the reorder point'

/** Throws invalid_request with every required number that is missing or too low; `pathOf` as in `resolveChanges`. */
export function requireNumbers(
  merged: readonly Pick<ReturnType<typeof mergeRule>, 'missing' | 'isMaxTooLow'>[],
  pathOf: (index: number) => string,
): void {
  const faults = merged.flatMap(({ missing, isMaxTooLow }, at) => [
    ...missing.map((field) => ({ path: `${pathOf(at)}/${field}`, message: 'is required' })),
    ...(isMaxTooLow ? [{ path: `${pathOf(at)}/maxLevel`, message: maxTooLow }] : []),
  ])
  if (faults.length > 0) throw badRequest(faults)
}

/** Locks the rules of these variants, and returns them by `ruleKey`. */
export async function lockRules(
  tx: Db,
  shopId: number,
  variantIds: readonly number[],
): Promise<ReadonlyMap<string, StoredRule>> {
  const rules = await tx.any(sql.type(row(StoredRule))`
    select id, variant_id, location_id, supplier_id, mode, reorder_point, reorder_quantity,
      ${chosenServiceLevel('r')} as service_level, review_days, max_level
    from reorder_rule r
    where shop_id = ${shopId} and variant_id = any(${sql.array([...new Set(variantIds)], 'int8')})
    order by id
    for no key update
  `)
  return new Map(rules.map((rule) => [ruleKey(rule), rule]))
}

/** Clears the computed inputs. The caller must have locked the variants and then the rules. */
export async function writeRules(
  tx: Db,
  shopId: number,
  actor: string,
  rules: readonly RuleToWrite[],
): Promise<readonly number[]> {
  const rows = rules.map((rule) => [
    rule.variantId,
    rule.locationId,
    rule.supplierId,
    rule.mode,
    rule.reorderPoint,
    rule.reorderQuantity,
    storedServiceLevel(rule.serviceLevel).level,
    storedServiceLevel(rule.serviceLevel).isByClass,
    rule.reviewDays,
    rule.maxLevel,
  ])
  return tx.anyFirst(sql.typeAlias('id')`
    insert into reorder_rule (
      shop_id, variant_id, location_id, supplier_id, mode, reorder_point, reorder_quantity, service_level,
      is_level_by_class, review_days, max_level, created_by
    )
    select ${shopId}, input.*, ${actor}
    from ${sql.unnest(rows, ['int8', 'int8', 'int8', 'text', 'int4', 'int4', 'int4', 'bool', 'int4', 'int4'])} as input
    on conflict (shop_id, variant_id, location_id) do update
    set supplier_id = excluded.supplier_id, mode = excluded.mode, reorder_point = excluded.reorder_point,
      reorder_quantity = excluded.reorder_quantity, service_level = excluded.service_level,
      is_level_by_class = excluded.is_level_by_class,
      review_days = excluded.review_days, max_level = excluded.max_level, inputs = null, computed_at = null,
      updated_at = excluded.updated_at
    returning id
  `)
}
