import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { type Fault, unprocessable } from '../../../errors.ts'
import { Nullable, Timestamp } from '../../../schemas/common.ts'
import type { StockCountItemInput } from '../../../schemas/stock-counts.ts'
import { isoInstant } from '../../kit/date-range.ts'
import type { LockedCount } from './lock.ts'

/*
 * Each counter, a person with a device, has one number per product and round; the product's number is their sum.
 *   step                                        alice/a1   bob/b1   the product
 *   alice scans 3 on shelf 1                           3        -             3
 *   bob scans 4 on shelf 2                             3        4             7
 *   alice finds one more and sends 4                   4        4             8
 *   carol sends 9 without a device: the total          -        -             9 (carol)
 * Items without an entry are of the previous release; the next number replaces theirs, as that release did.
 */

const maxQuantity = 1_000_000_000

/** One entry of a request. `countedAt` is an ISO instant, null for now; `paths` are its paths in the request. */
export type CountEntry = {
  variantId: string
  countedQuantity: number | null
  countedAt: string | null
  paths: string[]
}

/** `device` undefined: the numbers are totals of their products. `round` undefined: their times say of which round they are. */
export type Counter = { actor: string; device: string | undefined; round?: number | undefined }

/** An entry with the number of its product that follows from it, and when that was counted. */
export type ChangedEntry = CountEntry & { total: number | null; totalAt: string | null }

/** Sums the items of each variant, which may lie on several shelves. Throws quantity_too_large above 1 000 000 000. */
export function sumEntries(items: readonly StockCountItemInput[]): CountEntry[] {
  const entries = new Map<string, CountEntry>()
  for (const [at, { variantId, countedQuantity, countedAt = null }] of items.entries()) {
    const entry = entries.get(variantId) ?? { variantId, countedQuantity: null, countedAt, paths: [] }
    entry.paths.push(`/items/${at}`)
    entry.countedAt = laterOf(entry.countedAt, countedAt)
    if (countedQuantity !== null) entry.countedQuantity = (entry.countedQuantity ?? 0) + countedQuantity
    entries.set(variantId, entry)
  }
  refuseTooLarge([...entries.values()], ({ countedQuantity }) => countedQuantity)
  return [...entries.values()]
}

function refuseTooLarge<E extends CountEntry>(
  entries: readonly E[],
  quantityOf: (entry: E) => number | null,
): void {
  const paths = entries
    .filter((entry) => (quantityOf(entry) ?? 0) > maxQuantity)
    .flatMap((entry) => entry.paths)
  if (paths.length === 0) return
  throw unprocessable(
    'quantity_too_large',
    'A stock level holds at most 1 000 000 000 pieces.',
    paths.map((path) => ({
      path: `${path}/countedQuantity`,
      message: 'adds up to more than 1 000 000 000',
    })),
  )
}

/** A sum is as recent as its latest part; null means now. */
const laterOf = (a: string | null, b: string | null) =>
  a === null || b === null ? null : Date.parse(a) > Date.parse(b) ? a : b

const Stored = Type.Object({
  variantId: Type.String(),
  round: Type.Integer(),
  countedQuantity: Nullable(Type.Integer()),
  /** Of the count's round. */
  entries: Type.Array(
    Type.Object({
      person: Type.String(),
      device: Type.String(),
      countedQuantity: Type.Integer(),
      countedAt: Timestamp,
    }),
  ),
  /** The persons whose numbers a recount checks. */
  earlierPersons: Type.Array(Type.String()),
  /** The number of the last earlier round and its time: valid until this round has one. */
  earlierTotal: Nullable(Type.Integer()),
  earlierAt: Nullable(Timestamp),
})
type StoredItem = Static<typeof Stored>

/**
 * The entries that change a number, so that a repeated one keeps the time of its first entry. Throws not_in_recount,
 * same_person, counted_before_recount and quantity_too_large.
 */
export async function changedEntries(
  tx: Db,
  shopId: number,
  count: Pick<LockedCount, 'id' | 'round' | 'createdBy' | 'recount'>,
  counter: Counter,
  entries: readonly CountEntry[],
): Promise<ChangedEntry[]> {
  if (entries.length === 0) return []
  const gids = entries.map(({ variantId }) => variantId)
  const stored = await tx.any(sql.type(row(Stored))`
    select v.gid as variant_id, i.round, i.counted_quantity,
      coalesce(e.entries, '[]') as entries,
      coalesce(
        e.earlier,
        case when i.counted_quantity is not null then jsonb_build_array(${count.createdBy}::text) end,
        '[]'
      ) as earlier_persons,
      e.earlier_total, e.earlier_at
    from stock_count_item i
    join variant v on v.shop_id = ${shopId} and v.id = i.variant_id
    cross join lateral (
      select jsonb_agg(jsonb_build_object(
          'person', x.person, 'device', x.device, 'countedQuantity', x.counted_quantity,
          'countedAt', ${isoInstant(sql.fragment`x.counted_at`)}
        )) filter (where x.round = ${count.round}) as entries,
        jsonb_agg(distinct x.person) filter (where x.round = last.round) as earlier,
        sum(x.counted_quantity) filter (where x.round = last.round) as earlier_total,
        max(x.counted_at) filter (where x.round = last.round) as earlier_at
      from stock_count_entry x
      cross join (
        select max(round) as round
        from stock_count_entry
        where shop_id = ${shopId} and count_id = i.count_id and variant_id = i.variant_id and round < ${count.round}
      ) last
      where x.shop_id = ${shopId} and x.count_id = i.count_id and x.variant_id = i.variant_id
    ) e
    where i.shop_id = ${shopId} and i.count_id = ${count.id} and v.gid = any(${sql.array(gids, 'text')})
  `)
  const itemOf = new Map(stored.map((item) => [item.variantId, item]))
  const changed = entries.flatMap(
    (entry) => changeOf(entry, itemOf.get(entry.variantId), count.round, counter) ?? [],
  )
  if (count.round > 1) refuseUnfitRecounts(changed, itemOf, count, counter)
  refuseTooLarge(changed, ({ total }) => total)
  return changed
}

/** An entry with the new total of its product; null when it changes nothing. */
function changeOf(
  entry: CountEntry,
  item: StoredItem | undefined,
  round: number,
  { actor, device }: Counter,
): ChangedEntry | null {
  const { countedQuantity, countedAt } = entry
  const inRound = item?.entries ?? []
  // the number of an earlier round does not count in this one
  const current =
    item && (item.round === 1 || inRound.length > 0 || item.round < round) ? item.countedQuantity : null
  const before = { total: item?.earlierTotal ?? null, totalAt: item?.earlierAt ?? null }
  if (device === undefined) {
    const isChanged = item === undefined || current !== countedQuantity
    if (!isChanged) return null
    return {
      ...entry,
      ...(countedQuantity === null ? before : { total: countedQuantity, totalAt: countedAt }),
    }
  }
  const isOwn = (known: { person: string; device: string }) =>
    known.person === actor && known.device === device
  const own = inRound.length > 0 ? (inRound.find(isOwn)?.countedQuantity ?? null) : current
  if (item !== undefined && own === countedQuantity) return null
  const others = inRound.filter((known) => !isOwn(known))
  const parts = [
    ...others.map((known) => known.countedQuantity),
    ...(countedQuantity === null ? [] : [countedQuantity]),
  ]
  if (parts.length === 0) return { ...entry, ...before }
  const times = others.map((known) => known.countedAt).sort()
  const lastOfOthers = times.at(-1)
  return {
    ...entry,
    total: parts.reduce((sum, part) => sum + part, 0),
    totalAt:
      lastOfOthers === undefined
        ? countedAt
        : countedQuantity === null
          ? lastOfOthers
          : laterOf(countedAt, lastOfOthers),
  }
}

/**
 * In a recount, only the listed products take numbers, of each only those of a person that did not count it before, and none
 * that was counted before the recount: it is a part of the first sum. Throws not_in_recount, same_person, counted_before_recount.
 */
function refuseUnfitRecounts(
  entries: readonly ChangedEntry[],
  itemOf: ReadonlyMap<string, StoredItem>,
  { round, recount }: Pick<LockedCount, 'round' | 'recount'>,
  counter: Counter,
): void {
  const faultsOf = (
    isUnfit: (item: StoredItem | undefined, entry: ChangedEntry) => boolean | undefined,
    message: string,
  ): Fault[] =>
    entries
      .filter((entry) => isUnfit(itemOf.get(entry.variantId), entry))
      .map(({ paths }) => ({ path: `${paths[0]}/variantId`, message }))
  const unlisted = faultsOf((item) => item?.round !== round, 'is not on the recount list')
  if (unlisted.length > 0)
    throw unprocessable(
      'not_in_recount',
      'Only the products of the recount list can be counted now. Finish counting, or start another count for the others.',
      unlisted,
    )
  const own = faultsOf((item) => item?.earlierPersons.includes(counter.actor), 'was counted by you before')
  if (own.length > 0)
    throw unprocessable(
      'same_person',
      'You counted a product of this recount before. Another user must count it.',
      own,
    )
  if (counter.round !== undefined || recount === null) return
  const startedAt = Date.parse(recount.requestedAt)
  const late = faultsOf(
    (_, { countedAt }) => countedAt !== null && Date.parse(countedAt) < startedAt,
    'was counted before the recount started',
  )
  if (late.length > 0)
    throw unprocessable(
      'counted_before_recount',
      'A number is from before the recount started. Count the product again.',
      late,
    )
}
