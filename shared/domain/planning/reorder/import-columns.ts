import { productColumnNames } from '../../kit/csv/product-names.ts'

/** The names of the columns of reorder rules, by field, as `plainName` reads them. *Move in* and the import of rules read them. */
export const ruleColumnNames = {
  ...productColumnNames,
  title: 'title producttitle product productname name varianttitle',
  location: 'location locationname warehouse',
  supplier: 'vendorsupplier supplier vendor suppliername vendorname',
  mode: 'mode',
  reorderPoint: 'reorderpoint reorderlevel minlevel minstock minimumstock minimum min',
  reorderQuantity: 'reorderquantity reorderqty',
  maximum: 'maxlevel maxstock maximumstock maximum max',
  // only in our own export
  maxLevel: '',
  serviceLevel: 'servicelevel',
  reviewDays: 'reviewdays review',
} as const
