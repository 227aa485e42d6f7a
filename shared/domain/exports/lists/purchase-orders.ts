import { sql } from '../../../db/db.ts'
import { variantTitle } from '../../catalogue/variants.ts'
import { instant, number, text, words, yesNo } from '../columns.ts'
import type { ExportedList } from '../list.ts'
import { itemId, itemJoins, orderCurrency, placeId } from './parts.ts'

export const purchaseOrderLists: readonly ExportedList[] = [
  {
    name: 'purchase-orders',
    about: 'Purchase orders; their lines are in purchase-order-lines',
    table: 'purchase_order',
    joins: {
      s: ['supplier', sql.fragment`t.supplier_id`],
      w: ['location', sql.fragment`t.destination_location_id`],
    },
    columns: {
      Order: text`t.po_number`,
      'Earlier number': text`t.source_number`,
      Supplier: text`s.name`,
      Status: text`t.status`,
      Destination: text`w.name`,
      Lines: number`t.line_item_count`,
      Subtotal: number`t.subtotal`,
      Discount: number`t.discount`,
      Tax: number`t.tax`,
      'Typed tax': yesNo`t.is_own_tax`,
      Total: number`t.total`,
      Currency: text`coalesce(t.currency, shop.currency)`,
      'Exchange rate': number`t.rate`,
      Reference: text`t.reference`,
      "Supplier's reference": text`t.supplier_reference`,
      'Copies to': words`t.cc`,
      Notes: text`t.notes`,
      'Notes to the supplier': text`t.supplier_notes`,
      Revision: number`t.revision`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
      Ordered: instant`t.ordered_at`,
      Sent: instant`t.sent_at`,
      Expected: instant`t.expected_at`,
      Received: instant`t.received_at`,
      'Arrival known': yesNo`t.is_arrival_known`,
      Invoice: text`t.invoice_number`,
      'Invoice date': text`t.invoice_date`,
      'Payment due': text`t.payment_due_on`,
      Paid: instant`t.paid_at`,
      'Supplier number': number`t.supplier_id`,
      ...placeId,
    },
  },
  {
    name: 'purchase-order-lines',
    about: 'Lines of purchase orders',
    table: 'purchase_order_line',
    joins: {
      o: ['purchase_order', sql.fragment`t.purchase_order_id`],
      s: ['supplier', sql.fragment`o.supplier_id`],
      ...itemJoins,
    },
    columns: {
      SKU: text`case when o.sent_at is null and not t.is_own_sku then v.sku else t.sku end`,
      Title: text`case when o.sent_at is null and not t.is_own_title then ${variantTitle('v', 'p')} else t.title end`,
      Barcode: text`coalesce(t.barcode, v.barcode)`,
      Order: text`o.po_number`,
      Line: number`t.position`,
      Supplier: text`s.name`,
      'Supplier SKU': text`t.supplier_sku`,
      'Pack size': number`t.pack_size`,
      Ordered: number`t.quantity`,
      'Rounded up by': number`t.rounded_up_by`,
      Accepted: number`t.accepted`,
      Cancelled: number`t.cancelled`,
      Credited: number`t.credited`,
      Cost: number`case when t.is_cost_known then t.cost_price end`,
      'Discount (%)': number`t.discount_percent`,
      'Tax rate (%)': number`t.tax_rate`,
      'Line total': number`case when t.is_cost_known then t.line_total end`,
      ...orderCurrency,
      ...itemId,
    },
  },
  {
    name: 'purchase-order-charges',
    about: 'Freight, duty and other charges of purchase orders',
    table: 'purchase_order_charge',
    joins: { o: ['purchase_order', sql.fragment`t.purchase_order_id`] },
    columns: {
      Order: text`o.po_number`,
      Kind: text`t.kind`,
      Amount: number`t.amount`,
      Currency: text`t.currency`,
      'Exchange rate': number`t.rate`,
      'Tax rate (%)': number`t.tax_rate`,
      'Shared by': text`t.basis`,
      Lines: text`(
        select string_agg(l.position::text, ', ' order by l.position)
        from purchase_order_line l
        where l.shop_id = t.shop_id and l.id = any(t.line_ids)
      )`,
      Shares: text`(
        select string_agg(l.position || ': ' || trim_scale((t.shares->>(l.id::text))::numeric), ', ' order by l.position)
        from purchase_order_line l
        where l.shop_id = t.shop_id and l.purchase_order_id = t.purchase_order_id and t.shares ? l.id::text
      )`,
      Estimate: yesNo`t.is_estimate`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
    },
  },
  {
    name: 'purchase-order-revisions',
    about: 'What changed in purchase orders after they were sent',
    table: 'purchase_order_revision',
    key: { purchase_order_id: 'int8', revision: 'int4' },
    joins: { o: ['purchase_order', sql.fragment`t.purchase_order_id`] },
    columns: {
      Order: text`o.po_number`,
      Revision: number`t.revision`,
      Reason: text`t.reason`,
      Changes: text`t.changes`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
    },
  },
  {
    name: 'e-mails',
    about: 'E-mails to suppliers and their text',
    table: 'outgoing_mail',
    joins: { o: ['purchase_order', sql.fragment`t.purchase_order_id`] },
    columns: {
      Order: text`o.po_number`,
      Kind: text`t.kind`,
      State: text`t.state`,
      To: words`coalesce(t.recipients, array[t.recipient])`,
      Copies: words`t.cc`,
      Subject: text`t.subject`,
      Text: text`t.body`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
      Settled: instant`t.settled_at`,
      Reason: text`t.reason`,
    },
  },
]
