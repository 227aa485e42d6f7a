import type { Db } from '../../../../db/db.ts'
import type { BinImport, ImportedBins } from '../../../../schemas/bins.ts'
import type { ImportFault } from '../../../../schemas/import-fault.ts'
import { resolveNames } from '../../../kit/csv/names.ts'
import { invalidRows } from '../../../kit/csv/rows.ts'
import { levelKey } from '../changes.ts'
import { resolveLevelKeys } from '../resolve.ts'
import { type BinToWrite, compareBins, firstRows, writeBins } from './bins.ts'
import { readBinRows } from './import-rows.ts'

/** All rows or none. A dry run returns the faults of every invalid row; otherwise throws them as invalid_rows. */
export function importBins(
  db: Db,
  shopId: number,
  actor: string,
  { csv, locationId, dryRun }: BinImport,
): Promise<ImportedBins> {
  return db.transaction(async (tx) => {
    const given = locationId ? [{ id: locationId, path: '/locationId' }] : []
    const { locations } = await resolveLevelKeys(tx, shopId, { locations: given })
    const read = readBinRows(csv, locations.length > 0)
    const resolved = await resolveNames(
      tx,
      shopId,
      read.rows.map(({ row, names }) => ({ row, names, fields: {} })),
    )
    const binOf = new Map(read.rows.map(({ row, bin }) => [row, bin]))
    const rows = resolved.named.flatMap(({ row, change }) => {
      const at = change.locationId ?? locations[0]
      return at ? [{ row, variantId: change.variantId, locationId: at, bin: binOf.get(row) ?? '' }] : []
    })
    const faults = [...read.faults, ...resolved.faults, ...repeated(rows)].sort((a, b) => a.row - b.row)
    if (faults.length > 0 && !dryRun) throw invalidRows(faults)
    if (faults.length > 0) return { rows: read.rowCount, saved: 0, removed: 0, faults }
    const changes = dryRun ? await compareBins(tx, shopId, rows) : await writeBins(tx, shopId, actor, rows)
    return { rows: read.rowCount, ...changes, faults: [] }
  })
}

function repeated(rows: readonly (BinToWrite & { row: number })[]): ImportFault[] {
  const first = firstRows(rows)
  return rows.flatMap(({ row, ...given }, at) => {
    const earlier = first.get(levelKey(given)) ?? at
    const message = `repeats the product and location of row ${rows[earlier]?.row}`
    return earlier === at ? [] : [{ row, field: '', message }]
  })
}
