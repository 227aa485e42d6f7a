/** The names of columns that say which variant a row is about, by field, as `plainName` reads them. */
export const productColumnNames = {
  inventoryItemId: 'inventoryitemid shopifyinventoryitemid platforminventoryitemid',
  variantId: 'variantid shopifyvariantid platformvariantid productvariantid',
  barcode: 'barcode ean upc gtin isbn',
  sku: 'sku variantsku itemsku productsku',
} as const
