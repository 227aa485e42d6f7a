import {
  type DeliveryFilter,
  type KeptDelivery,
  listDeliveries,
  replayDeliveries,
} from '../../../shared/domain/webhooks/replay.ts'
import { webhookJobs } from '../../../shared/queue/jobs.ts'
import { change, hasFilter } from './change.ts'
import { type Command, type Context, listLimit, printList, shopIdsOf } from './command.ts'
import { type Args, UsageError } from './options.ts'
import type { Column } from './table.ts'
import { ago } from './words.ts'

const columns: Column<KeptDelivery>[] = [
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
  summary: 'Lists the webhooks that came, never what is in them.',
  options: [...filterOptions, 'json'],
  notes: 'They are kept for 30 days; those that wait or have failed stay until someone decides.',
  async run(context, args) {
    const limit = args.limit ?? listLimit
    const found = await listDeliveries(context.db, await deliveryFilter(context, args), limit + 1)
    return printList(context, args, columns, found, limit)
  },
}

export const replay: Command = {
  name: 'replay',
  operands: '[ID…]',
  summary: 'Has deliveries applied again.',
  options: [...filterOptions, 'yes', 'force', 'json'],
  notes: `Those that are named, with their --shop, or that match. More than one: it lists them, and does it
with --yes. One that is applied already is left alone without --force; applied twice, it changes
nothing that it has changed before.`,
  async run(context, args) {
    const isNamed = args.ids.length > 0
    if (isNamed ? args.shop === undefined || hasFilter({ ...args, shop: undefined }) : !hasFilter(args)) {
      throw new UsageError('Name deliveries by their ids and --shop, or by what they have in common.')
    }
    const filter = await deliveryFilter(context, args)
    const found = await listDeliveries(
      context.db,
      isNamed ? { ids: args.ids, shopIds: filter.shopIds } : filter,
      args.limit ?? null,
    )
    const foundIds = new Set(found.map(({ id }) => id))
    const missing = args.ids.filter((id) => !foundIds.has(id))
    return change(context, args, {
      noun: 'Delivery',
      verb: 'replay',
      done: 'Replayed',
      columns,
      found,
      missing: new Map(missing.map((id) => [id, 'the shop has no such delivery'])),
      transitionRefused: ({ topic, isInstalled, state }) => {
        if (!isInstalled) return 'the app is not installed there any more'
        if (!(topic in webhookJobs)) return 'no job applies its topic'
        if (state === 'applied' && !args.isForced) return applied
        return undefined
      },
      apply: (some) => replayDeliveries(context.db, some, { isForced: args.isForced }),
      whyUnchanged: async (ids) => new Map(ids.map((id) => [id, 'it has changed just now; look again'])),
    })
  },
}

const applied = 'it is applied already; see --force'
