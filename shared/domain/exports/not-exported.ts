import type { shopTables } from '../shops/remove.ts'

/** The tables of a shop that are no file of their own in the export, each with the reason. */
export const notExported: Readonly<Partial<Record<(typeof shopTables)[number], string>>> = {
  variant_cost: 'columns of variants.csv',
  sale_order: 'the newest applied state of a customer order; its lines are in sales.csv',
  catalog_sync: 'progress of the sync with the platform',
  sales_reading: 'progress of the sync with the platform',
  level_read: 'work that waits for the platform',
  stock_state_change: 'work that waits for the platform',
  stock_push: 'work that waits for the platform; the movements are in stock-movements.csv',
  stock_push_line: 'work that waits for the platform; the movements are in stock-movements.csv',
  cost_push: 'work that waits for the platform; the costs are in variants.csv',
  webhook_delivery: 'messages of the platform, deleted after 30 days',
  webhook_subscription_check: 'state of the connection with the platform',
  shop_credential: 'a secret',
  idempotency_key: 'answers to repeated requests, deleted after a day',
  job_run: 'log of jobs, deleted after 7 days',
  shop_night: 'state of the nightly jobs',
  velocity_mark: 'work that waits for the nightly jobs',
  velocity_run: 'state of the nightly jobs',
  purchase_order_counter: 'the last number, which is in purchase-orders.csv',
  supplier_return_counter: 'the last number, which is in supplier-returns.csv',
  export: 'the exports themselves',
  export_part: 'the exports themselves',
}
