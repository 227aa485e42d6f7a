import { CalendarDay, Currency, Money, Quantity, Text } from '../../../../schemas/common.ts'
import { packagingFields } from '../../../../schemas/supplier-products.ts'
import { cellOf, type Importer, type ReadRow } from '../../../kit/csv/importer.ts'

/** The columns with their headings, as `plainHeading` reads them. */
const headings = {
  supplier: 'supplier suppliername vendor',
  variantId: 'variantid',
  sku: 'sku',
  barcode: 'barcode ean gtin',
  title: 'title product',
  supplierSku: 'suppliersku suppliercode supplierssku',
  supplierTitle: 'suppliertitle supplierdescription',
  price: 'price unitprice cost',
  currency: 'currency',
  minQuantity: 'minquantity minqty fromquantity',
  packSize: 'packsize pack',
  minimumQuantity: 'minimum minimumquantity minimumorder moq',
  quantityMultiple: 'multiple quantitymultiple',
  leadTimeDays: 'leadtime leadtimedays',
  validFrom: 'validfrom from',
  validTo: 'validto to until',
  rank: 'rank',
  packBarcode: 'packbarcode',
}
export type PriceColumn = keyof typeof headings

const toNumber = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text)

const cells = {
  price: cellOf(Money(4), toPrice),
  minQuantity: cellOf(Quantity, toNumber),
  packSize: cellOf(packagingFields.packSize, toNumber),
  minimumQuantity: cellOf(Quantity, toNumber),
  quantityMultiple: cellOf(packagingFields.quantityMultiple, toNumber),
  leadTimeDays: cellOf(packagingFields.leadTimeDays, toNumber),
  rank: cellOf(packagingFields.rank, toNumber),
  currency: cellOf(Currency, (text) => text.toUpperCase()),
  validFrom: cellOf(CalendarDay),
  validTo: cellOf(CalendarDay),
  supplierSku: cellOf(Text(200)),
  supplierTitle: cellOf(Text(500)),
  packBarcode: cellOf(Text(100)),
}
export type PriceRow = ReadRow<typeof cells>

/** A price list: CSV, or cells that are pasted from a spreadsheet. The title is for the reader of the file. */
export const priceFile = (hasSupplier: boolean): Importer<typeof cells> => ({
  headings,
  shown:
    'supplier, sku, supplier sku, barcode, price, currency, min quantity, pack size, minimum, multiple, lead time, valid from, valid to, rank',
  needs: [
    ...(hasSupplier
      ? []
      : [{ columns: ['supplier'], field: 'supplier', header: 'is required', row: 'is required' }]),
    {
      columns: ['variantId', 'sku', 'barcode', 'supplierSku'],
      field: 'sku',
      header: 'is required, or a column supplier sku, barcode or variantId',
      row: 'is required, or another name of the product',
      namesFound: true,
    },
  ],
  cells,
  faultsOf: ({ row, fields }, { missing, invalid, headingOf }) => {
    const { price, minQuantity, validFrom, validTo } = fields
    const faults = [...invalid, ...missing]
    const isOfPrice = [minQuantity, validFrom, validTo].some((value) => value !== undefined)
    if (price === undefined && isOfPrice)
      faults.push({ row, field: 'price', message: 'is required for a quantity or a date' })
    if (validFrom !== undefined && validTo !== undefined && validTo < validFrom)
      faults.push({ row, field: 'validTo', message: `must not be before ${headingOf('validFrom')}` })
    return faults
  },
  faultsNameHeadings: true,
})

/**
 * A number with a decimal point or a decimal comma; signs that separate thousands must be unmistakable. Examples: 1234.5,
 * 1234,5, 1,234.50 and 1.234,50. `1,234` may mean either, so it stays a text, which the schema refuses.
 */
function toPrice(text: string): number | string {
  if (/^\d{1,10}(\.\d+)?$/.test(text)) return Number(text)
  if (/^\d{1,3}(,\d{3})+\.\d+$/.test(text)) return Number(text.replaceAll(',', ''))
  if (/^\d{1,3}(\.\d{3})+,\d+$/.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (/^\d{1,10},(\d{1,2}|\d{4})$/.test(text)) return Number(text.replace(',', '.'))
  return text
}
