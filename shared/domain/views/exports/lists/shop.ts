import { sql } from '../../../../db/db.ts'
import { alertMessage } from '../../../kit/alerts/message.ts'
import { instant, number, text, yesNo } from '../columns.ts'
import type { ExportedList } from '../list.ts'

export const shopLists: readonly ExportedList[] = [
  {
    name: 'settings',
    about: 'Company details, currency, time zone and how the app works',
    table: 'shop_setting',
    key: { shop_id: 'int8' },
    columns: {
      Company: text`t.company_name`,
      Address: text`t.address`,
      Phone: text`t.phone`,
      'E-mail': text`t.email`,
      'Tax ID': text`t.tax_id`,
      'Ordered by': text`t.ordered_by`,
      'Copy of order e-mails': text`t.mail_copy_to`,
      Paper: text`t.paper`,
      Currency: text`t.currency`,
      'Time zone': text`t.time_zone`,
      Locale: text`t.locale`,
      'Costs sent to the shop': text`t.cost_write_back`,
      'Over-receipt (%)': number`t.over_receipt_percent`,
      Labels: text`t.label_format`,
    },
  },
  {
    name: 'alert-settings',
    about: 'Which alerts are raised',
    table: 'alert_configuration',
    key: { shop_id: 'int8' },
    columns: {
      'Low stock': yesNo`t.low_stock_alerts`,
      'Overdue orders': yesNo`t.overdue_po_alerts`,
      'Alert early by (%)': number`t.alert_threshold_percent`,
    },
  },
  {
    name: 'digest-settings',
    about: 'When the daily digest is e-mailed, and to whom',
    table: 'digest_setting',
    key: { shop_id: 'int8' },
    columns: {
      On: yesNo`t.is_on`,
      Hour: number`t.hour`,
      Recipients: text`array_to_string(t.recipients, ', ')`,
    },
  },
  {
    name: 'mail-templates',
    about: 'Your words of the e-mails to suppliers',
    table: 'mail_template',
    key: { kind: 'text' },
    columns: {
      Kind: text`t.kind`,
      Subject: text`t.subject`,
      Text: text`t.body`,
      Updated: instant`t.updated_at`,
    },
  },
  {
    name: 'exchange-rates',
    about: "1 of a currency in the shop's currency, by day",
    table: 'exchange_rate',
    key: { currency: 'text', day: 'date' },
    columns: {
      Currency: text`t.currency`,
      Day: text`t.day`,
      Rate: number`t.rate`,
      'Shop currency': text`shop.currency`,
      Source: text`t.source`,
    },
  },
  {
    name: 'alerts',
    about: 'Alerts, also resolved ones of the last year',
    table: 'alert',
    joins: { o: ['purchase_order', sql.fragment`t.purchase_order_id`] },
    columns: {
      Type: text`t.type`,
      Message: text`${alertMessage('t')}`,
      Order: text`o.po_number`,
      Read: yesNo`t.is_read`,
      Created: instant`t.created_at`,
      Resolved: instant`t.resolved_at`,
      'Product ID': text`t.product_gid`,
    },
  },
  {
    name: 'attached-files',
    about: 'Names and SHA-256 of attached files; the files themselves are downloaded from their documents',
    table: 'attachment',
    joins: {
      o: ['purchase_order', sql.fragment`t.purchase_order_id`],
      r: ['supplier_return', sql.fragment`t.supplier_return_id`],
    },
    columns: {
      File: text`t.name`,
      Type: text`t.media_type`,
      Bytes: number`t.size`,
      Order: text`o.po_number`,
      Return: text`r.number`,
      Receipt: number`t.receipt_id`,
      Transfer: number`t.stock_transfer_id`,
      Count: number`t.stock_count_id`,
      Created: instant`t.created_at`,
      'Created by': text`t.created_by`,
      'SHA-256': sql.fragment`encode(t.sha256, 'hex')`,
    },
  },
]
