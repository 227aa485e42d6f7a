import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { timeZoneOf } from '../date-range.ts'
import { readerOf, type Terms, type Unit } from './load.ts'
import { supplierKey } from './match-suppliers.ts'
import type { FoundVariant, VariantMatcher } from './match-variants.ts'
import type { Made, Outcome } from './outcomes.ts'

const Place = Type.Object({ id: Id, gid: Type.String(), name: Type.String() })
const maxQuantity = 1_000_000_000

/** Stores counts of the past as submitted ones. No stock moves: what was counted then is in the stock that was read. */
export async function writeCounts(
  tx: Db,
  { shopId, actor, defaults, today }: Terms,
  units: readonly Unit[],
  match: VariantMatcher,
): Promise<{ outcomes: Outcome[]; made: Made[] }> {
  const outcomes: Outcome[] = []
  const made: Made[] = []
  const places = await tx.any(
    sql.type(row(Place))`select id, gid, name from location where shop_id = ${shopId} order by id`,
  )
  for (const { rows } of units) {
    const [first] = rows
    if (!first) continue
    const fail = (message: string) => {
      for (const { position } of rows) outcomes.push({ position, state: 'fault', message })
    }
    const cells = readerOf(first)
    const name = cells.text('location', 200)
    const place = name
      ? places.find((each) => supplierKey(each.name) === supplierKey(name))
      : (places.find(({ gid }) => gid === defaults.locationId) ??
        (places.length === 1 ? places[0] : undefined))
    const day = cells.day('countedAt', 'Counted') ?? defaults.orderedOn ?? null
    if (!place) {
      fail(
        name
          ? `No location is called ${name}.`
          : 'The file does not say which location was counted. Choose one.',
      )
      continue
    }
    if (cells.faults[0] || day === null || day.slice(0, 10) > today) {
      fail(
        cells.faults[0] ??
          'The file does not say when this was counted. Map a column with the date, or name a day.',
      )
      continue
    }
    const items = new Map<
      number,
      { variant: FoundVariant; counted: number; expected: number; position: number }
    >()
    const own: Outcome[] = []
    for (const each of rows) {
      const read = readerOf(each)
      const counted = read.number('counted', 'Counted', maxQuantity)
      const expected = read.number('expected', 'Expected', maxQuantity)
      const variant = match(each)
      const fault = read.faults[0] ?? ('fault' in variant ? variant.fault : '')
      if (fault || 'fault' in variant) own.push({ position: each.position, state: 'fault', message: fault })
      else if (counted === null || !Number.isInteger(counted) || !Number.isInteger(expected ?? 0))
        own.push({
          position: each.position,
          state: 'skipped',
          message: 'The row has no counted number of pieces.',
        })
      else if (items.has(variant.id))
        own.push({
          position: each.position,
          state: 'skipped',
          message: 'An earlier row has the count of this product.',
        })
      else items.set(variant.id, { variant, counted, expected: expected ?? counted, position: each.position })
    }
    outcomes.push(...own)
    if (items.size === 0) continue
    const notes = `Imported: ${first.cell('countName') || first.cell('fileName') || first.sheet}`.slice(
      0,
      500,
    )
    const list = [...items.values()]
    const stored = await storeCount(tx, shopId, actor, { placeId: place.id, day, notes }, list)
    if (stored.isNew) made.push({ target: 'stock_count', targetId: stored.id })
    const state = stored.isNew ? 'new' : 'same'
    for (const { position } of list)
      outcomes.push({ position, state, target: 'stock_count', targetId: stored.id })
  }
  return { outcomes, made }
}

const Stored = Type.Object({ id: Id, isNew: Type.Boolean() })

async function storeCount(
  tx: Db,
  shopId: number,
  actor: string,
  { placeId, day, notes }: { placeId: number; day: string; notes: string },
  items: readonly { variant: FoundVariant; counted: number; expected: number }[],
) {
  const at = sql.fragment`
    (case when length(${day}::text) = 10 then (${day}::text || ' 12:00')::timestamp at time zone ${timeZoneOf(shopId)}
      else ${day}::timestamptz end)
  `
  const rows = items.map(({ variant, counted, expected }, position) => [
    variant.id,
    position,
    counted,
    expected,
  ])
  return tx.one(sql.type(row(Stored))`
    with known as (
      select id
      from stock_count
      where shop_id = ${shopId} and is_imported and location_id = ${placeId} and notes = ${notes} and submitted_at = ${at}
      order by id
      limit 1
    ),
    created as (
      insert into stock_count (
        shop_id, location_id, status, notes, item_count, created_by, created_at, submitted_by, submitted_at, is_imported
      )
      select ${shopId}, ${placeId}, 'submitted', ${notes}, ${items.length}, ${actor}, ${at}, ${actor}, ${at}, true
      where not exists (select from known)
      returning id
    ),
    items as (
      insert into stock_count_item (
        shop_id, count_id, variant_id, position, counted_quantity, expected_quantity, counted_at, entered_at, read_at,
        submitted_quantity
      )
      select ${shopId}, created.id, given.variant_id, given.position, given.counted, given.expected, ${at}, ${at}, ${at},
        given.counted
      from created, ${sql.unnest(rows, ['int8', 'int4', 'int4', 'int4'])} as given (variant_id, position, counted, expected)
    )
    select id, true as is_new from created
    union all
    select id, false from known
  `)
}
