import { sql } from '../../../../db/db.ts'
import { instant, number, text, words, yesNo } from '../columns.ts'
import type { ExportedList } from '../list.ts'
import { shopCurrency } from './parts.ts'

export const catalogueLists: readonly ExportedList[] = [
  {
    name: 'locations',
    about: 'Locations with their addresses',
    table: 'location',
    columns: {
      Location: text`t.name`,
      'Address 1': text`t.address1`,
      'Address 2': text`t.address2`,
      City: text`t.city`,
      Province: text`t.province`,
      ZIP: text`t.zip`,
      Country: text`t.country`,
      'Country code': text`t.country_code`,
      Phone: text`t.phone`,
      Primary: yesNo`t.is_primary`,
      Active: yesNo`t.is_active`,
      'Location ID': text`t.gid`,
    },
  },
  {
    name: 'products',
    about: 'Products',
    table: 'product',
    columns: {
      Product: text`t.title`,
      Vendor: text`t.vendor`,
      Type: text`t.product_type`,
      Tags: words`t.tags`,
      Status: text`t.status`,
      Deleted: instant`t.deleted_at`,
      'Product ID': text`t.gid`,
    },
  },
  {
    name: 'variants',
    about: 'Variants of products with price, unit cost, average cost and barcode',
    table: 'variant',
    joins: { p: ['product', sql.fragment`t.product_id`] },
    also: (shopId) => sql.fragment`left join variant_cost c on c.shop_id = ${shopId} and c.variant_id = t.id`,
    columns: {
      SKU: text`t.sku`,
      Product: text`p.title`,
      Variant: text`t.title`,
      Barcode: text`t.barcode`,
      Price: number`t.price`,
      'Unit cost': number`t.unit_cost`,
      'Source of unit cost': text`t.cost_source`,
      'Average cost': number`c.average_cost`,
      'Last cost': number`c.last_cost`,
      ...shopCurrency,
      'Weight (g)': number`t.weight_grams`,
      Tracked: yesNo`t.is_tracked`,
      Deleted: instant`t.deleted_at`,
      'Variant ID': text`t.gid`,
      'Product ID': text`p.gid`,
      'Inventory item ID': text`t.inventory_item_gid`,
    },
  },
]
