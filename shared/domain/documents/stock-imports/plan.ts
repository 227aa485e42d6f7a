import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { AppError } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import type { ImportFault } from '../../../schemas/import-fault.ts'
import type { StockImportBasis } from '../../../schemas/stock-imports.ts'
import { repeatedRows } from '../../kit/csv/import-rows.ts'
import { type NamedRow, resolveNames } from '../../kit/csv/names.ts'
import { requireReasons } from '../../ledgers/stock/adjustment-reasons.ts'
import { levelKey } from '../../ledgers/stock/changes.ts'
import { type LevelKey, lockLevels } from '../../ledgers/stock/move.ts'
import { hurryReadLevels } from '../../ledgers/stock/platform/read-requests.ts'
import { variantTitle } from '../../records/catalogue/variants.ts'
import { maxQuantity, type StockRow } from './import-file.ts'

const StoredLevel = Type.Object({
  variantId: Id,
  locationId: Id,
  sku: Type.String(),
  title: Type.String(),
  locationName: Type.String(),
  quantity: Type.Integer(),
  /** Committed and unavailable; null until the platform was asked. */
  notAvailable: Nullable(Type.Integer()),
  isReported: Type.Boolean(),
  inventoryItemGid: Nullable(Type.String()),
  /** A reading of the variant is requested: `notAvailable` may be old. */
  isAwaited: Type.Boolean(),
})
type StoredLevel = Static<typeof StoredLevel>

/** The change of a level that a row asks for. `before` and `after` are in the terms of the basis. */
export type PlannedChange = LevelKey & {
  row: number
  sku: string
  title: string
  locationName: string
  before: number
  after: number
  delta: number
  reason: string
}

type QuantityRow = { row: number; quantity: number; reason: string }

/** `reason`: of rows without one. */
type Options = {
  basis: StockImportBasis
  locationId: number | undefined
  reason: string
  isDryRun: boolean
}

/**
 * What each row changes, and the faults of the rows. A row equal to the stored quantity is accepted even below 0 or at an
 * inactive location, so an exported CSV can be re-imported. Locks the levels, except in a dry run: levels may change after it, so the
 * run plans again.
 */
export async function planChanges(
  tx: Db,
  shopId: number,
  file: readonly StockRow[],
  { basis, locationId, reason: defaultReason, isDryRun }: Options,
): Promise<{ changes: PlannedChange[]; faults: ImportFault[] }> {
  const given = file.filter(({ fields }) => fields.quantity !== undefined)
  const resolved = await resolveNames(tx, shopId, given)
  const rows = given.map(({ row, fields: { quantity = 0, reason = defaultReason } }) => {
    return { row, quantity, reason }
  })
  const keyOfRow = keysOfRows(resolved.named, locationId)
  const inactiveKeyOfRow = keysOfRows(resolved.inClosed, locationId)
  const keys = [...keyOfRow.values()]
  if (!isDryRun) await lockLevels(tx, shopId, keys)
  const levels = await readLevels(tx, shopId, [...keys, ...inactiveKeyOfRow.values()])
  const isUnchangedInactive = ({ row, quantity }: QuantityRow) => {
    const key = inactiveKeyOfRow.get(row)
    const level = key && levels.get(levelKey(key))
    const notAvailable = level ? notAvailableOf(level, basis) : null
    return (
      level !== undefined &&
      notAvailable !== null &&
      isUnchanged(basis, quantity, level.quantity + notAvailable)
    )
  }
  const unchangedInactiveRows = new Set(rows.filter(isUnchangedInactive).map(({ row }) => row))
  const faults = resolved.faults.filter(
    ({ row, field }) => field !== 'location' || !unchangedInactiveRows.has(row),
  )
  const unreadVariantIds: number[] = []
  const firstOfItem = new Map<string, { row: number; quantity: number }>()
  const repeated = repeatedRows(
    [...keyOfRow].map(([row, key]) => ({ row, ...key })),
    levelKey,
  )
  const repeats = new Set(repeated.map(({ row }) => row))
  const changes = rows.flatMap(({ row, quantity, reason }) => {
    const key = keyOfRow.get(row)
    const level = key && levels.get(levelKey(key))
    const fault = (field: string, message: string) => {
      faults.push({ row, field, message })
      return []
    }
    const isAwaited = basis === 'on_hand' && level?.isAwaited === true
    const notAvailable = isAwaited ? null : level ? notAvailableOf(level, basis) : 0
    const before = (level?.quantity ?? 0) + (notAvailable ?? 0)
    const isBelow =
      basis !== 'adjust' && quantity < 0 && notAvailable !== null && !unchangedInactiveRows.has(row)
    if (isBelow && !isUnchanged(basis, quantity, before)) fault('quantity', 'must not be below 0')
    if (!key || !level || repeats.has(row)) return []
    // variants that share an item have one level at a location
    const itemKey = `${level.inventoryItemGid} ${key.locationId}`
    const ofItem = basis === 'adjust' ? undefined : firstOfItem.get(itemKey)
    if (ofItem && ofItem.quantity === quantity) return []
    if (ofItem)
      return fault('quantity', `contradicts row ${ofItem.row}, whose variant has the same inventory item`)
    if (level.inventoryItemGid !== null) firstOfItem.set(itemKey, { row, quantity })
    if (notAvailable === null) {
      unreadVariantIds.push(key.variantId)
      return fault('quantity', 'has an on-hand quantity that is still being read: try again in a moment')
    }
    const after = basis === 'adjust' ? before + quantity : quantity
    if (basis === 'adjust' && after < 0 && quantity < 0)
      return fault('quantity', `only ${Math.max(before, 0)} in stock`)
    if (after - notAvailable > maxQuantity)
      return fault('quantity', 'exceeds the maximum of 1 000 000 000 pieces')
    const { sku, title, locationName } = level
    return [{ ...key, row, sku, title, locationName, before, after, delta: after - before, reason }]
  })
  const unchangedRows = new Set([
    ...unchangedInactiveRows,
    ...changes.filter(({ delta }) => delta === 0).map(({ row }) => row),
  ])
  const ofChanges = rows.filter(({ row }) => !unchangedRows.has(row))
  const reasons = await reasonFaults(tx, shopId, ofChanges)
  await hurryReadLevels(tx, shopId, unreadVariantIds)
  return {
    changes: changes.filter(({ delta }) => delta !== 0),
    faults: [...faults, ...repeated, ...reasons],
  }
}

/** The level of each row; `locationId` is that of rows without a location. */
function keysOfRows(named: readonly NamedRow[], locationId: number | undefined): Map<number, LevelKey> {
  return new Map(
    named.flatMap(({ row, change }) => {
      const at = change.locationId ?? locationId
      return at === undefined ? [] : [[row, { variantId: change.variantId, locationId: at }] as const]
    }),
  )
}

/** The pieces on hand at a level that are not available, for the basis `on_hand`, else 0; null before the worker has read them. */
function notAvailableOf({ notAvailable, isReported }: StoredLevel, basis: StockImportBasis): number | null {
  if (basis !== 'on_hand') return 0
  // a level that the platform never reported has only available pieces
  return notAvailable ?? (isReported ? null : 0)
}

const isUnchanged = (basis: StockImportBasis, quantity: number, before: number) =>
  basis === 'adjust' ? quantity === 0 : quantity === before

/** The refusals of a change by hand, as faults of their rows. */
async function reasonFaults(tx: Db, shopId: number, rows: readonly QuantityRow[]): Promise<ImportFault[]> {
  try {
    await requireReasons(
      tx,
      shopId,
      rows.map(({ row, reason }) => ({ path: String(row), reason })),
    )
    return []
  } catch (error) {
    if (!(error instanceof AppError) || !error.details) throw error
    return error.details.map(({ path, message }) => ({ row: Number(path), field: 'reason', message }))
  }
}

async function readLevels(tx: Db, shopId: number, keys: readonly LevelKey[]) {
  const distinct = [...new Map(keys.map((key) => [levelKey(key), key])).values()]
  const rows = distinct.map(({ variantId, locationId }) => [variantId, locationId])
  const levels = await tx.any(sql.type(row(StoredLevel))`
    select key.variant_id, key.location_id, v.sku, v.inventory_item_gid,
      ${variantTitle('v', 'p')} as title, w.name as location_name,
      coalesce(l.quantity, 0) as quantity, coalesce(l.platform_updated_at is not null, false) as is_reported,
      case when l.states_read_at is not null then coalesce(l.committed, 0) + coalesce(l.unavailable, 0) end as not_available,
      exists (
        select from level_read r where r.shop_id = ${shopId} and r.variant_id = key.variant_id
      ) as is_awaited
    from ${sql.unnest(rows, ['int8', 'int8'])} as key (variant_id, location_id)
    join variant v on v.shop_id = ${shopId} and v.id = key.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    join location w on w.shop_id = ${shopId} and w.id = key.location_id
    left join stock_level l
      on l.shop_id = ${shopId} and l.variant_id = key.variant_id and l.location_id = key.location_id
  `)
  return new Map(levels.map((level) => [levelKey(level), level]))
}
