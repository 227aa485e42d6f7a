import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { notFound } from '../../../../errors.ts'
import { codeOf } from '../../../../labels/code.ts'
import { Nullable } from '../../../../schemas/common.ts'
import { LocationAddress } from '../../../../schemas/locations.ts'
import { PurchaseOrderDocument } from '../../../../schemas/order-document.ts'
import { chooseLanguage } from '../../../../words/words.ts'
import { addressLines, addressOf } from '../../../records/catalogue/address.ts'
import { localeOf } from '../../../records/shops/locale.ts'
import { paperOf } from '../../../records/shops/paper.ts'
import { shownSku, shownTitle } from '../lines/lines.ts'
import { shopParty, supplierAddress, supplierParty } from './parties.ts'

/** The aliases of the tables in the SQL of this file. */
const aliases = { order: 'o', line: 'l', variant: 'v', product: 'p' }

const StoredDocument = Type.Object({
  ...PurchaseOrderDocument.properties,
  shipTo: Nullable(Type.Object({ name: Type.String(), address: LocationAddress })),
  supplierLanguage: Nullable(Type.String()),
  supplierAddress: LocationAddress,
  taxRate: Nullable(Type.Number()),
})

/** SQL for the tax rate that all lines of order `o` have; null when they differ, and for a typed tax. */
const commonTaxRate = (shopId: number) => sql.fragment`
  case when not o.is_own_tax and o.tax > 0 then (
    select case when min(l.tax_rate) = max(l.tax_rate) and count(l.tax_rate) = count(*) then min(l.tax_rate) end
    from purchase_order_line l
    where l.shop_id = ${shopId} and l.purchase_order_id = o.id
  ) end
`

/**
 * With the current details of shop, supplier and destination, and never with internal notes. Without a destination the
 * goods arrive at the primary location, as in `receive.ts`; an order without a date is expected after the supplier's lead time, unless
 * that is past. Throws not_found.
 */
export async function getOrderDocument(db: Db, shopId: number, id: number): Promise<PurchaseOrderDocument> {
  const order = await db.maybeOne(sql.type(row(StoredDocument))`
    select now() as as_of, o.po_number, o.status, coalesce(o.sent_at, o.created_at) as ordered_at, 
      coalesce(o.expected_at, case when lead.arrives_at >= now() then lead.arrives_at end) as expected_at,
      o.expected_at is null and coalesce(lead.arrives_at >= now(), false) as is_expected_by_lead_time, o.subtotal,
      o.discount, o.tax, o.total, o.supplier_notes, o.revision, coalesce(nullif(o.reference, ''), o.source_number) as reference, o.supplier_reference,
      coalesce(t.ordered_by, '') as ordered_by, ${paperOf(shopId)} as paper, ${commonTaxRate(shopId)} as tax_rate,
      s.language as supplier_language,
      ${localeOf(shopId)} as locale, coalesce(t.time_zone, 'UTC') as time_zone,
      coalesce(o.currency, t.currency, 'USD') as currency,
      ${shopParty(shopId, { shop: 'shop', setting: 't' })} as shop, ${supplierParty(shopId, 's')} as supplier,
      ${supplierAddress('s')} as supplier_address,
      case when w.id is not null
        then jsonb_build_object('name', w.name, 'address', ${addressOf('w')})
      end as ship_to,
      (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
          'supplierSku', nullif(l.supplier_sku, ''), 'sku', ${shownSku(aliases)}, 'title', ${shownTitle(aliases)},
          'barcode', nullif(coalesce(l.barcode, v.barcode), ''), 'packSize', nullif(l.pack_size, 1),
          'quantity', l.quantity, 'costPrice', l.cost_price, 'isCostToBeAgreed', nullif(not l.is_cost_known, false), 'discountPercent', nullif(l.discount_percent, 0),
          'taxRate', nullif(l.tax_rate, 0), 'lineTotal', l.line_total
        )) order by l.position), '[]')
        from purchase_order_line l
        join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
        join product p on p.shop_id = ${shopId} and p.id = v.product_id
        where l.shop_id = ${shopId} and l.purchase_order_id = o.id
      ) as lines
    from purchase_order o
    join shop on shop.id = o.shop_id
    join supplier s on s.shop_id = ${shopId} and s.id = o.supplier_id
    cross join lateral (
      select coalesce(o.sent_at, now()) + make_interval(days => s.lead_time_days) as arrives_at
    ) lead
    left join shop_setting t on t.shop_id = ${shopId}
    left join location w on w.shop_id = ${shopId}
      and case when o.destination_location_id is null then w.is_primary else w.id = o.destination_location_id end
    where o.shop_id = ${shopId} and o.id = ${id}
  `)
  if (!order) throw notFound('Purchase order')
  const { shipTo, supplierLanguage, supplierAddress: parts, taxRate, ...document } = order
  const code = codeOf({ barcode: '', sku: document.poNumber })
  return {
    ...document,
    ...(taxRate !== null && { taxRate }),
    ...(typeof code !== 'string' && { barcode: code.bars }),
    ...chooseLanguage({ language: supplierLanguage, country: parts.countryCode }, document.locale),
    supplier: { ...document.supplier, address: postalAddress(parts) || document.supplier.address },
    shipTo: shipTo && {
      name: shipTo.name,
      address: addressLines(shipTo.address).join('\n'),
      email: '',
      phone: shipTo.address.phone,
    },
  }
}

/** With the country's name in English, as cross-border mail needs it; empty when no part but the country is known. */
export function postalAddress(address: LocationAddress): string {
  const lines = addressLines(address)
  if (lines.length === 0) return ''
  const { countryCode } = address
  const country = countryCode && new Intl.DisplayNames('en', { type: 'region' }).of(countryCode)
  return [...lines, country].filter(Boolean).join('\n')
}
