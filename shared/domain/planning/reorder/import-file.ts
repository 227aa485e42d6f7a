import { reorderFields } from '../../../schemas/reorder-rules.ts'
import { cellOf, countCell, type Importer, productNeed } from '../../kit/csv/importer.ts'
import { ruleColumnNames } from './import-columns.ts'

const cells = {
  reorderPoint: countCell(reorderFields.reorderPoint),
  reorderQuantity: countCell(reorderFields.reorderQuantity),
  mode: cellOf(reorderFields.mode, (text) => text.toLowerCase()),
  serviceLevel: countCell(reorderFields.serviceLevel),
  reviewDays: countCell(reorderFields.reviewDays),
  maxLevel: countCell(reorderFields.maxLevel),
}

const { inventoryItemId: _item, title, maximum, ...others } = ruleColumnNames

/** The headings of our own exports, and those that *Move in* knows. The title is for the reader of the file. */
export const ruleFile: Importer<typeof cells> = {
  headings: {
    ...others,
    maxLevel: `maxlevel maximumlevel ${maximum}`,
    // of our export of all rules, these follow from other columns
    ignored: `${title} variant stock low computed created locationid productid`,
  },
  shown: `variantId, sku, barcode, supplier, location, title, ${Object.keys(cells).join(', ')}`,
  needs: [productNeed],
  cells,
  faultsOf: ({ row, names }, { missing, invalid, below }) => {
    // the rule would be one of the whole shop
    const isUnnamed = below('locationid') !== '' && names.location === undefined
    const message = 'is required beside a location ID'
    return [...(isUnnamed ? [{ row, field: 'location', message }] : []), ...missing, ...invalid]
  },
  faultsNameHeadings: true,
}
