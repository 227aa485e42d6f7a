import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { replaceCostPushes } from '../../../ledgers/cost-pushes/request.ts'
import { followUnitCosts } from '../../../ledgers/costs/follow.ts'
import { lockVariants } from '../../../ledgers/stock/move.ts'
import { storeImportedCosts } from '../../../records/catalogue/imported-costs.ts'
import { readerOf, type SourceRow, type Terms, type Unit, type UnitWriter } from '../load.ts'
import type { VariantMatcher } from '../match-variants.ts'
import type { Made, Outcome } from '../outcomes.ts'
import { amountText } from '../read/amount-text.ts'

const Imported = Type.Object({ variantId: Id, cost: Type.Number() })
const Before = Type.Object({
  id: Id,
  unitCost: Type.Union([Type.Number(), Type.Null()]),
  costSource: Type.Union([Type.String(), Type.Null()]),
  /** With all its decimals, so that a revert restores it exactly. */
  average: Type.Union([Type.String(), Type.Null()]),
  averageSource: Type.Union([Type.String(), Type.Null()]),
})

/**
 * Positions of the rows whose product has its cost in a row above, anywhere in the import: batches must not overwrite each other's
 * costs.
 */
export function findRepeatedCosts(units: readonly Unit[], match: VariantMatcher): Set<number> {
  const known = new Set<number>()
  const repeated = new Set<number>()
  for (const { kind, rows } of units) {
    for (const each of kind === 'costs' ? rows : []) {
      const read = readCost(each, match)
      if ('state' in read) continue
      if (known.has(read.variantId)) repeated.add(each.position)
      known.add(read.variantId)
    }
  }
  return repeated
}

/** The cost of a row, or why it has none. */
function readCost(each: SourceRow, match: VariantMatcher): { variantId: number; cost: number } | Outcome {
  const { position } = each
  const cells = readerOf(each)
  const cost = cells.number('cost', 'Cost')
  const variant = match(each)
  if (cells.faults[0]) return { position, state: 'fault', message: cells.faults[0] }
  if ('fault' in variant) return { position, state: 'fault', message: variant.fault }
  if (variant.isDeleted) return { position, state: 'fault', message: 'This product is deleted.' }
  if (cost === null) return { position, state: 'skipped', message: 'The row has no cost.' }
  if (cost === 0)
    return { position, state: 'skipped', message: 'The cost is 0, so the product keeps its own.' }
  return { variantId: variant.id, cost: Math.round(cost * 10_000) / 10_000 }
}

/**
 * Stores average costs as costs that an import entered: each is the average of its variant from then on, with a row in the
 * ledger of costs. The cost that the newest import of the variant stored changes nothing, also when receipts have moved the average since.
 */
export const writeCosts: UnitWriter = async (
  tx,
  { shopId, actor, currency, repeatedCosts },
  units,
  match,
) => {
  const outcomes: Outcome[] = []
  const costs: GivenCosts = new Map()
  for (const each of units.flatMap(({ rows }) => rows)) {
    const { position } = each
    const read = readCost(each, match)
    if ('state' in read) outcomes.push(read)
    else if (repeatedCosts.has(position))
      outcomes.push({ position, state: 'skipped', message: 'An earlier row has the cost of this product.' })
    else costs.set(read.variantId, { cost: read.cost, position })
  }
  const stored = await storeCosts(tx, { shopId, actor, currency }, costs)
  return { outcomes: [...outcomes, ...stored.outcomes], made: stored.made }
}

function changeOf(from: number, average: string | null, to: number, currency: string): string {
  const isAverage = average !== null && Number(average) !== to
  const before = amountText(isAverage ? Number(average) : from, currency)
  return `The ${isAverage ? 'average cost' : 'unit cost'} is ${amountText(to, currency)} instead of ${before}.`
}

/** By variant: the cost, and the row that has it. */
export type GivenCosts = Map<number, { cost: number; position: number }>

/** With `onlyMissing`, variants that have a unit cost keep it. */
export async function storeCosts(
  tx: Db,
  { shopId, actor, currency }: Pick<Terms, 'shopId' | 'actor' | 'currency'>,
  given: ReadonlyMap<number, { cost: number; position: number }>,
  { onlyMissing = false } = {},
): Promise<{ outcomes: Outcome[]; made: Made[] }> {
  const outcomes: Outcome[] = []
  const costs: GivenCosts = new Map(given)
  const ids = [...costs.keys()]
  await lockVariants(tx, shopId, ids)
  const stored = await tx.any(sql.type(row(Imported))`
    select distinct on (t.target_id) t.target_id as variant_id, (t.before->>'to')::float8 as cost
    from import_target t
    join import i on i.shop_id = ${shopId} and i.id = t.import_id and i.state <> 'reverted'
    where t.shop_id = ${shopId} and t.target = 'cost' and t.target_id = any(${sql.array(ids, 'int8')})
    order by t.target_id, i.finished_at desc nulls first, i.id desc
  `)
  for (const { variantId, cost } of stored) {
    const wanted = costs.get(variantId)
    if (wanted?.cost !== cost) continue
    outcomes.push({ position: wanted.position, state: 'same', target: 'cost', targetId: variantId })
    costs.delete(variantId)
  }
  const before = await tx.any(sql.type(row(Before))`
    select v.id, v.unit_cost, v.cost_source, c.average_cost::text as average, c.source as average_source
    from variant v
    left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = v.id
    where v.shop_id = ${shopId} and v.id = any(${sql.array([...costs.keys()], 'int8')})
  `)
  const made: Made[] = []
  for (const { id, unitCost: from, costSource: source, average, averageSource } of before) {
    const { cost = 0, position = 0 } = costs.get(id) ?? {}
    if (onlyMissing && from !== null) costs.delete(id)
    else {
      made.push({ target: 'cost', targetId: id, before: { from, source, average, averageSource, to: cost } })
      const of = { position, target: 'cost', targetId: id } as const
      if (from === null) outcomes.push({ ...of, state: 'new' })
      else outcomes.push({ ...of, state: 'changed', message: changeOf(from, average, cost, currency) })
    }
  }
  if (made.length === 0) return { outcomes, made }
  const rows = [...costs].map(([id, { cost }]) => ({ id, cost }))
  await storeImportedCosts(tx, shopId, rows)
  const changed = [...costs.keys()]
  const isChanged = sql.fragment`v.id = any(${sql.array(changed, 'int8')})`
  const average = sql.fragment`select true as is_known, v.unit_cost as cost, v.cost_source as source`
  await followUnitCosts(tx, shopId, isChanged, actor, { average })
  await replaceCostPushes(tx, shopId, changed)
  return { outcomes, made }
}
