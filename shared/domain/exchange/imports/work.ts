import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { ImportSummary } from '../../../schemas/imports.ts'
import { findImport, type StoredImport } from './imports.ts'
import { loadTerms, loadUnits, type Terms, type Unit, type UnitKind, type UnitWriter } from './load.ts'
import { lockImport, lockShopImports } from './locks.ts'
import { type VariantMatcher, variantMatcher } from './match-variants.ts'
import { readEarlierShares } from './orders/earlier-shares.ts'
import { writeOrders } from './orders/write.ts'
import { writeMade, writeOutcomes } from './outcomes.ts'
import { numberEqualAdjustments, writeAdjustments } from './write/adjustments.ts'
import { findRepeatedCosts, writeCosts } from './write/costs.ts'
import { writeCounts } from './write/counts.ts'
import { writeDirectReceipts } from './write/direct-receipts.ts'
import { writeRules } from './write/rules.ts'
import { writeSupplierProducts } from './write/supplier-products.ts'
import { writeSuppliers } from './write/suppliers.ts'

const maxUnitsPerBatch = 100
const maxRowsPerBatch = 1_000

type Batch = { units: Unit[]; rows: number }

/** Units of one kind, at most 100, with about 1 000 rows together. An order is never split. */
function toBatches(units: readonly Unit[]): Batch[] {
  const batches: Batch[] = []
  for (const unit of units) {
    const last = batches.at(-1)
    const isSmall = unit.kind !== 'purchase_orders' && unit.kind !== 'stock_counts'
    const maxUnits = isSmall ? maxRowsPerBatch : maxUnitsPerBatch
    const fits =
      last &&
      last.units[0]?.kind === unit.kind &&
      last.units.length < maxUnits &&
      last.rows + unit.rows.length <= maxRowsPerBatch
    if (fits) {
      last.units.push(unit)
      last.rows += unit.rows.length
    } else batches.push({ units: [unit], rows: unit.rows.length })
  }
  return batches
}

type Loaded = { terms: Omit<Terms, 'isDryRun'>; batches: Batch[]; match: VariantMatcher; rows: number }

export async function load(db: Db, shopId: number, stored: StoredImport): Promise<Loaded> {
  const terms = await loadTerms(db, shopId, stored)
  const units = await loadUnits(db, shopId, stored)
  const rows = units.flatMap((unit) => (unit.kind === 'suppliers' ? [] : unit.rows))
  const match = await variantMatcher(db, shopId, rows)
  const batches = toBatches(units)
  const equalAbove = await numberEqualAdjustments(db, terms, units, match)
  const earlierShares = await readEarlierShares(db, terms, units)
  return {
    terms: { ...terms, equalAbove, repeatedCosts: findRepeatedCosts(units, match), earlierShares },
    batches,
    match,
    rows: batches.reduce((sum, batch) => sum + batch.rows, 0),
  }
}

const writers: Record<UnitKind, UnitWriter> = {
  suppliers: writeSuppliers,
  purchase_orders: writeOrders,
  supplier_products: writeSupplierProducts,
  receipts: writeDirectReceipts,
  costs: writeCosts,
  reorder_rules: writeRules,
  adjustments: writeAdjustments,
  stock_counts: writeCounts,
}

export const writeUnits: UnitWriter = async (tx, terms, units, match) =>
  units[0] ? writers[units[0].kind](tx, terms, units, match) : { outcomes: [], made: [] }

export type Options = { signal: AbortSignal; isOver: () => boolean }

/**
 * Runs the batches of an import; each is one transaction, which writes the records, what became of the rows, and the progress.
 * After a kill the next attempt goes on with the rows that are still pending. Returns false when time is over before the end.
 */
export async function runBatches(
  db: Db,
  shopId: number,
  importId: number,
  { signal, isOver }: Options,
): Promise<boolean> {
  const stored = await findImport(db, shopId, importId)
  const { terms, batches, match, rows } = await load(db, shopId, stored)
  const pending = await pendingRows(db, shopId, importId)
  let done = 0
  for (const batch of batches) {
    done += batch.rows
    if (!batch.units.some((unit) => isPending(unit, pending))) continue
    signal.throwIfAborted()
    const isRunning = await runBatch(
      db,
      { ...terms, isDryRun: false },
      batch,
      match,
      done / Math.max(rows, 1),
    )
    if (!isRunning) return true
    if (isOver()) return false
  }
  await finish(db, shopId, importId)
  return true
}

const isPending = ({ rows }: Unit, pending: ReadonlySet<number>) =>
  rows.some(({ position }) => pending.has(position))

const Position = Type.Object({ position: Type.Integer() })

async function pendingRows(db: Db, shopId: number, importId: number): Promise<Set<number>> {
  const rows = await db.any(sql.type(row(Position))`
    select position from import_row where shop_id = ${shopId} and import_id = ${importId} and state = 'pending'
  `)
  return new Set(rows.map(({ position }) => position))
}

/** Another worker may run the same batch, so the rows that are pending are read again under the lock. */
function runBatch(
  db: Db,
  terms: Terms,
  batch: Batch,
  match: VariantMatcher,
  progress: number,
): Promise<boolean> {
  const { shopId, importId } = terms
  return db.transaction(async (tx) => {
    await lockShopImports(tx, shopId)
    await lockImport(tx, importId)
    const running = await tx.maybeOne(sql.typeAlias('id')`
      update import
      set progress = ${Math.min(progress, 0.999)}
      where shop_id = ${shopId} and id = ${importId} and state = 'running'
      returning id
    `)
    if (!running) return false
    const pending = await pendingRows(tx, shopId, importId)
    const units = batch.units.filter((unit) => isPending(unit, pending))
    if (units.length === 0) return true
    const { outcomes, made } = await writeUnits(tx, terms, units, match)
    await writeOutcomes(tx, terms, outcomes)
    await writeMade(tx, terms, made)
    return true
  })
}

async function finish(db: Db, shopId: number, importId: number): Promise<void> {
  await db.transaction(async (tx) => {
    await skipTheRest(tx, shopId, importId)
    const summary = await summarise(tx, shopId, importId, false)
    await tx.query(sql.typeAlias('void')`
      update import
      set state = 'done', progress = 1, summary = ${JSON.stringify(summary)}::jsonb, finished_at = ${new Date().toISOString()}
      where shop_id = ${shopId} and id = ${importId} and state = 'running'
    `)
  })
}

/** Marks the rows that are still pending as skipped: those of sheets that are not imported. */
export async function skipTheRest(tx: Db, shopId: number, importId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update import_row
    set state = 'skipped', message = 'This list is not imported.'
    where shop_id = ${shopId} and import_id = ${importId} and state = 'pending'
  `)
}

const Counts = Type.Object({
  rows: Type.Integer(),
  new: Type.Integer(),
  same: Type.Integer(),
  changed: Type.Integer(),
  skipped: Type.Integer(),
  faults: Type.Integer(),
  kept: Type.Integer(),
  suppliers: Type.Integer(),
  orders: Type.Integer(),
  openOrders: Type.Integer(),
  targets: Type.Required(ImportSummary).properties.targets,
})

export async function summarise(
  tx: Db,
  shopId: number,
  importId: number,
  isRehearsal: boolean,
): Promise<ImportSummary> {
  const counts: Static<typeof Counts> = await tx.one(sql.type(row(Counts))`
    select count(*) as rows, count(*) filter (where state = 'new') as new, count(*) filter (where state = 'same') as same,
      count(*) filter (where state = 'changed') as changed, count(*) filter (where state = 'skipped') as skipped,
      count(*) filter (where state = 'fault') as faults, count(*) filter (where state = 'kept') as kept,
      (
        select count(*) from import_target
        where shop_id = ${shopId} and import_id = ${importId} and target = 'supplier'
      ) as suppliers,
      (
        select count(*) from import_target
        where shop_id = ${shopId} and import_id = ${importId} and target = 'purchase_order'
      ) as orders,
      (
        select count(*)
        from import_target t
        join purchase_order o on o.shop_id = ${shopId} and o.id = t.target_id and o.status in ('sent', 'partial')
        where t.shop_id = ${shopId} and t.import_id = ${importId} and t.target = 'purchase_order'
      ) as open_orders,
      (
        select coalesce(jsonb_agg(jsonb_build_object('target', x.target, 'new', x.new, 'changed', x.changed) order by x.target), '[]')
        from (
          select target, count(distinct id) filter (where is_new) as new, count(distinct id) filter (where not is_new) as changed
          from (
            select target, target_id as id, state = 'new' as is_new
            from import_row
            where shop_id = ${shopId} and import_id = ${importId} and target <> 'cost'
              and (state = 'changed' or state = 'new' and target not in ('supplier', 'purchase_order'))
            union all
            -- the rows of a count do not say that they also have a cost
            select target, target_id, before->>'from' is null
            from import_target
            where shop_id = ${shopId} and import_id = ${importId} and target = 'cost'
          ) records
          group by target
        ) x
      ) as targets
    from import_row
    where shop_id = ${shopId} and import_id = ${importId}
  `)
  return { ...counts, isRehearsal }
}
