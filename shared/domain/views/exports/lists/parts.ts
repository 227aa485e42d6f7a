import { sql } from '../../../../db/db.ts'
import { text } from '../columns.ts'

export const itemJoins = {
  v: ['variant', sql.fragment`t.variant_id`],
  p: ['product', sql.fragment`v.product_id`],
} as const
export const item = { SKU: text`v.sku`, Product: text`p.title`, Variant: text`v.title` }
export const itemId = { 'Variant ID': text`v.gid` }
export const place = { w: ['location', sql.fragment`t.location_id`] } as const
export const placeId = { 'Location ID': text`w.gid` }
export const shopCurrency = { Currency: text`shop.currency` }
export const orderCurrency = { Currency: text`coalesce(o.currency, shop.currency)` }
