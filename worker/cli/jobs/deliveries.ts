import {
  type DeliveryFilter,
  listDeliveries,
  replayDeliveries,
  type StoredDelivery,
} from '../../../shared/domain/exchange/webhooks/replay.ts'
import { webhookJobs } from '../../../shared/queue/jobs.ts'
import { change, hasFilter } from './change.ts'
import { type Command, type Context, listLimit, printList, shopIdsOf } from './command.ts'
import { ago } from './format.ts'
import { type Args, UsageError } from './options.ts'
import type { Column } from './table.ts'

const columns: Column<StoredDelivery>[] = [
  { title: 'ID', text: ({ id }) => String(id), isNumber: true },
  { title: 'SHOP', text: ({ shop }) => shop, isCut: true },
  { title: 'TOPIC', text: ({ topic }) => topic },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'CAME', text: ({ receivedAt }) => ago(receivedAt), isNumber: true },
  { title: 'REASON', text: ({ reason }) => reason, isCut: true },
]

const filterOptions = ['failed', 'shop', 'topic', 'since', 'limit'] as const

async function deliveryFilter(context: Context, args: Args): Promise<DeliveryFilter> {
  const { state, topic, since } = args
  return {
    state,
    topic: topic?.toUpperCase().replace('/', '_'),
    since,
    shopIds: await shopIdsOf(context, args),
  }
}

export const deliveries: Command = {
  name: 'deliveries',
  operands: '',
  summary: 'Lists the received webhooks, without their content.',
  options: [...filterOptions, 'json'],
  notes: 'Deliveries are kept for 30 days; waiting and failed ones stay until an operator decides.',
  async run(context, args) {
    const limit = args.limit ?? listLimit
    const selected = await listDeliveries(context.db, await deliveryFilter(context, args), limit + 1)
    return printList(context, args, columns, selected, limit)
  },
}

export const replay: Command = {
  name: 'replay',
  operands: '[ID…]',
  summary: 'Applies deliveries again.',
  options: [...filterOptions, 'yes', 'force', 'json'],
  notes: `Selects deliveries by id, together with --shop, or by the filter options. Several are only listed
without --yes. A delivery that is applied already is left alone without --force; applying it twice
does not repeat its changes.`,
  async run(context, args) {
    const hasIds = args.ids.length > 0
    if (hasIds ? args.shop === undefined || hasFilter({ ...args, shop: undefined }) : !hasFilter(args)) {
      throw new UsageError('Give either delivery ids with --shop, or filter options.')
    }
    const filter = await deliveryFilter(context, args)
    const selected = await listDeliveries(
      context.db,
      hasIds ? { ids: args.ids, shopIds: filter.shopIds } : filter,
      args.limit ?? null,
    )
    const selectedIds = new Set(selected.map(({ id }) => id))
    const missing = args.ids.filter((id) => !selectedIds.has(id))
    return change(context, args, {
      noun: 'Delivery',
      verb: 'replay',
      done: 'Replayed',
      columns,
      selected,
      missing: new Map(missing.map((id) => [id, 'the shop has no such delivery'])),
      refusalReason: ({ topic, isInstalled, state }) => {
        if (!isInstalled) return 'the shop has uninstalled the app'
        if (!(topic in webhookJobs)) return 'no job applies its topic'
        if (state === 'applied' && !args.isForced) return applied
        return undefined
      },
      apply: (items) => replayDeliveries(context.db, items, { isForced: args.isForced }),
      unchangedReasons: async (ids) =>
        new Map(ids.map((id) => [id, 'it has just changed; run the command again'])),
    })
  },
}

const applied = 'it is applied already; see --force'
