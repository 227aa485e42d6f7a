/** `tables` are the tables of which the statements of `file` break a rule. */
export type Exception = { file: string; tables: readonly string[]; why: string }

const allShops =
  'It reads or writes all shops; each table is joined by the shop, so that each machine works on its own.'

export const exceptions: readonly Exception[] = [
  { file: 'shared/queue/enqueue.ts', tables: ['shop_credential'], why: allShops },
  {
    file: 'shared/domain/records/shops/subscriptions.ts',
    tables: ['webhook_subscription_check', 'webhook_delivery', 'stock_movement'],
    why: allShops,
  },
  {
    file: 'shared/domain/records/shops/nights.ts',
    tables: ['shop_credential', 'shop_setting'],
    why: allShops,
  },
  { file: 'shared/domain/exchange/sync/due.ts', tables: ['catalog_sync'], why: allShops },
  {
    file: 'shared/domain/views/digest/claim.ts',
    tables: ['digest_setting', 'digest', 'shop_credential', 'shop_setting'],
    why: allShops,
  },
  {
    file: 'shared/domain/kit/operations/stuck-work.ts',
    tables: ['outgoing_mail', 'shop_credential'],
    why: allShops,
  },
  { file: 'shared/domain/kit/operations/queue-statistics.ts', tables: ['webhook_delivery'], why: allShops },
  { file: 'shared/domain/exchange/webhooks/customer-data.ts', tables: ['webhook_delivery'], why: allShops },
  {
    file: 'shared/domain/kit/operations/prune.ts',
    tables: ['unknown_name', 'idempotency_key'],
    why: 'It deletes rows of all shops whose time is over, from the tables of its list.',
  },
  {
    file: 'shared/domain/exchange/imports/interrupted-uploads.ts',
    tables: ['import'],
    why: 'It sets interrupted uploads of all shops to failed.',
  },
  {
    file: 'shared/domain/views/exports/attempt.ts',
    tables: ['export'],
    why: 'It deletes expired rows of all shops by their primary keys.',
  },
  {
    file: 'shared/domain/kit/operations/job-effects.ts',
    tables: ['outgoing_mail', 'webhook_delivery'],
    why: 'The command for operators lists jobs of several shops.',
  },
  {
    file: 'shared/domain/exchange/webhooks/replay.ts',
    tables: ['webhook_delivery'],
    why: 'The command for operators lists the deliveries of all shops.',
  },
]
