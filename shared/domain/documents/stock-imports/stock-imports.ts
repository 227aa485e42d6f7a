import { type Static, Type } from '@sinclair/typebox'
import { arrayOf, type Db, row, sql } from '../../../db/db.ts'
import { Id, type PageQuery } from '../../../schemas/common.ts'
import {
  maxShownChanges,
  StockImport,
  type StockImportInput,
  type StockImportOutcome,
} from '../../../schemas/stock-imports.ts'
import { importRows } from '../../kit/csv/import-rows.ts'
import { readRows } from '../../kit/csv/importer.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { moveStock } from '../../ledgers/stock/move.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { stockFile } from './import-file.ts'
import { type PlannedChange, planChanges } from './plan.ts'

const Inserted = Type.Object({ id: Id })
type Inserted = Static<typeof Inserted>

/**
 * Sets or adjusts the levels of a file: all rows or none, as `importRows` does. The import keeps what it changed, so that it can be
 * reverted.
 */
export const importStock = (
  db: Db,
  shopId: number,
  actor: string,
  { csv, basis, locationId, reason = '', dryRun }: StockImportInput,
  now: string,
): Promise<StockImportOutcome> =>
  importRows(db, dryRun, async (tx) => {
    const given = locationId ? [{ id: locationId, path: '/locationId' }] : []
    const { locations } = await resolveLevelKeys(tx, shopId, { locations: given })
    const file = readRows(csv, stockFile(basis, locations.length > 0))
    const { changes, faults } = await planChanges(tx, shopId, file.rows, {
      ...{ basis, locationId: locations[0], reason, isDryRun: dryRun },
    })
    const outcomeOf = (made: readonly PlannedChange[]): Omit<StockImportOutcome, 'rows' | 'faults'> => ({
      ...{ id: null, changed: made.length, ...piecesOf(made) },
      changes: made.slice(0, maxShownChanges).map(shown),
    })
    const outcome = outcomeOf(changes)
    return {
      file,
      faults,
      nothing: outcomeOf([]),
      preview: () => outcome,
      write: async () => {
        if (changes.length === 0) return outcome
        const toStore = { ...outcome, basis, rows: file.rowCount, actor, now, changes }
        return { ...outcome, id: await store(tx, shopId, toStore) }
      },
    }
  })

const piecesOf = (changes: readonly PlannedChange[]) => ({
  added: changes.reduce((sum, { delta }) => sum + Math.max(delta, 0), 0),
  removed: changes.reduce((sum, { delta }) => sum + Math.max(-delta, 0), 0),
})

const shown = ({ row: number, sku, title, locationName, before, after }: PlannedChange) => ({
  ...{ row: number, sku, title, locationName },
  ...{ previousQuantity: before, newQuantity: after },
})

type ToStore = Pick<StockImport, 'basis' | 'rows' | 'changed' | 'added' | 'removed'> & {
  actor: string
  now: string
  changes: readonly PlannedChange[]
}

/** Moves the stock and stores the import in the same transaction. The levels are locked, so that no level can fall below zero here. */
async function store(
  tx: Db,
  shopId: number,
  { basis, rows, changed, added, removed, actor, now, changes }: ToStore,
): Promise<number> {
  const { id }: Inserted = await tx.one(sql.type(row(Inserted))`
    insert into stock_import (
      shop_id, basis, row_count, changed_count, added, removed, variant_ids, location_ids, deltas, created_by, created_at
    )
    values (
      ${shopId}, ${basis}, ${rows}, ${changed}, ${added}, ${removed}, ${arrayOf('int8', changes, ({ variantId }) => variantId)},
      ${arrayOf('int8', changes, ({ locationId }) => locationId)}, ${arrayOf('int8', changes, ({ delta }) => delta)}, ${actor}, ${now}
    )
    returning id
  `)
  const isSet = basis !== 'adjust'
  await moveStock(
    tx,
    shopId,
    {
      kind: isSet ? 'set' : 'delta',
      form: isSet ? 'set' : 'adjust',
      reference: `stock_import/${id}`,
      actor,
      // a level may be below zero already, or its committed pieces exceed what the shelf has
      allowNegative: true,
    },
    changes,
  )
  return id
}

/** Newest first. */
export async function listStockImports(
  db: Db,
  shopId: number,
  filter: PageQuery,
): Promise<Page<StockImport>> {
  const { cursor } = filter
  const records = await db.any(sql.type(row(StockImport))`
    select id, basis, row_count as rows, changed_count as changed, added, removed, created_by, created_at, reverted_by,
      reverted_at
    from stock_import
    where ${sql.and([
      sql.fragment`shop_id = ${shopId}`,
      cursor !== undefined && sql.fragment`id < ${cursor}`,
    ])}
    order by id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}
