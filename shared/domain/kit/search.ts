import type { FragmentSqlToken } from 'slonik'
import { sql } from '../../db/db.ts'

/** SQL condition: a text in lower case contains `text`; false without a text, so that `sql.and` drops it. */
export function contains(lowerCase: FragmentSqlToken, text = '') {
  const search = text.trim()
  // `%`, `_` and `\` are special in a `like` pattern
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return search !== '' && sql.fragment`${lowerCase} like lower(${pattern})`
}

/** SQL condition: the search text of a variant contains `text`; false without a text. */
export const matchesSearch = (variant: string, text?: string) =>
  contains(sql.fragment`${sql.identifier([variant])}.search_text`, text)

/** As `matchesSearch`, for a statement without the variant: a condition on the column with its id. */
export function isFound(variantId: FragmentSqlToken, shopId: number, text?: string) {
  const matching = matchesSearch('v', text)
  return (
    matching &&
    sql.fragment`${variantId} in (select v.id from variant v where v.shop_id = ${shopId} and ${matching})`
  )
}

/**
 * As `isFound`, also by the SKU or the pack's barcode at any supplier. Each part of the union finds its rows in a trigram index; an
 * `or` of them would read every variant.
 */
export function isFoundAtSuppliers(variantId: FragmentSqlToken, shopId: number, text?: string) {
  const ofVariant = matchesSearch('v', text)
  const ofProduct = contains(sql.fragment`lower(x.supplier_sku || ' ' || x.pack_barcode)`, text)
  return (
    ofVariant &&
    ofProduct &&
    sql.fragment`${variantId} in (
      select v.id from variant v where v.shop_id = ${shopId} and ${ofVariant}
      union
      select x.variant_id from supplier_product x where x.shop_id = ${shopId} and ${ofProduct}
    )`
  )
}
