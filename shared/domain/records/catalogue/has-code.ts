import { sql } from '../../../db/db.ts'

/** SQL condition: a variant has the barcode whose form `scan_code` is the column `barcode` of `wanted`. Reads `variant_barcode`. */
export const hasBarcode = (variant: string, wanted: string) => {
  const [own, code] = [sql.identifier([variant, 'barcode']), sql.identifier([wanted, 'barcode'])]
  return sql.fragment`${own} <> '' and "left"(scan_code(${own}), 100) = "left"(${code}, 100) and scan_code(${own}) = ${code}`
}

/** SQL condition: the same of the pack of a supplier's product. Reads `supplier_product_pack`. */
export const hasPackBarcode = (supplierProduct: string, wanted: string) => {
  const own = sql.identifier([supplierProduct, 'pack_barcode'])
  return sql.fragment`${own} <> '' and scan_code(${own}) = ${sql.identifier([wanted, 'barcode'])}`
}

/** SQL condition: a variant has the SKU that is the column `code` of `wanted`, in lower case. Reads `variant_sku`. */
export const hasSku = (variant: string, wanted: string) => {
  const [own, code] = [sql.identifier([variant, 'sku']), sql.identifier([wanted, 'code'])]
  return sql.fragment`"left"(lower(${own}), 100) = "left"(${code}, 100) and lower(${own}) = ${code}`
}
