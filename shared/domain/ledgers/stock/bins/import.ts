import type { Db } from '../../../../db/db.ts'
import { Bin, type BinImport, type ImportedBins } from '../../../../schemas/bins.ts'
import { importRows, repeatedRows } from '../../../kit/csv/import-rows.ts'
import { cellOf, type Importer, locationNeed, productNeed, readRows } from '../../../kit/csv/importer.ts'
import { resolveNames } from '../../../kit/csv/names.ts'
import { levelKey } from '../changes.ts'
import { resolveLevelKeys } from '../resolve.ts'
import { compareBins, writeBins } from './bins.ts'

const cells = { bin: cellOf(Bin) }

/** An empty bin removes one. The title is for the reader of the file. */
const binFile = (hasLocation: boolean): Importer<typeof cells> => ({
  headings: {
    ...{ variantId: 'variantid', sku: 'sku', barcode: 'barcode', location: 'location' },
    ...{ title: 'title product', bin: 'bin' },
  },
  shown: 'variantId, sku, barcode, location, title, bin',
  needs: [
    productNeed,
    { columns: ['bin'], field: 'bin', header: 'is required' },
    ...(hasLocation ? [] : [locationNeed]),
  ],
  cells,
})

/** All rows or none, as `importRows` does. */
export const importBins = (
  db: Db,
  shopId: number,
  actor: string,
  { csv, locationId, dryRun }: BinImport,
): Promise<ImportedBins> =>
  importRows(db, dryRun, async (tx) => {
    const given = locationId ? [{ id: locationId, path: '/locationId' }] : []
    const { locations } = await resolveLevelKeys(tx, shopId, { locations: given })
    const file = readRows(csv, binFile(locations.length > 0))
    const resolved = await resolveNames(tx, shopId, file.rows)
    const rows = resolved.named.flatMap(({ row, change: { variantId, locationId: named, bin = '' } }) => {
      const at = named ?? locations[0]
      return at ? [{ row, variantId, locationId: at, bin }] : []
    })
    return {
      file,
      faults: [...resolved.faults, ...repeatedRows(rows, levelKey)],
      nothing: { saved: 0, removed: 0 },
      preview: () => compareBins(tx, shopId, rows),
      write: () => writeBins(tx, shopId, actor, rows),
    }
  })
