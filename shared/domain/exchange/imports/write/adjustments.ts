import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { noonOrInstant } from '../../../kit/date-range.ts'
import { type BasicTerms, readerOf, type SourceRow, type Terms, type Unit, type UnitWriter } from '../load.ts'
import { type Places, readLocations } from '../locations.ts'
import type { VariantMatcher } from '../match-variants.ts'
import type { Outcome } from '../outcomes.ts'

type Adjustment = {
  position: number
  variantId: number
  locationId: number | null
  at: string
  quantity: number
  before: number | null
  after: number | null
  reason: string
  notes: string
  fingerprint: string
}

/**
 * By position of a row: how many equal adjustments stand above it in the whole file. The fingerprint has this number, so that
 * two equal adjustments stay two, and the same file again changes nothing.
 */
export async function numberEqualAdjustments(
  db: Db,
  terms: BasicTerms,
  units: readonly Unit[],
  match: VariantMatcher,
): Promise<Map<number, number>> {
  const equalAbove = new Map<number, number>()
  const adjustments = units.filter(({ kind }) => kind === 'adjustments')
  if (adjustments.length === 0) return equalAbove
  const places = await readLocations(db, terms)
  const counts = new Map<string, number>()
  for (const { rows } of adjustments) {
    for (const each of rows.filter(isLine)) {
      const read = readAdjustment(each, rows, { ...terms, equalAbove: new Map() }, match, places)
      if (typeof read === 'string') continue
      const above = counts.get(read.fingerprint) ?? 0
      if (above > 0) equalAbove.set(each.position, above)
      counts.set(read.fingerprint, above + 1)
    }
  }
  return equalAbove
}

/** Stores what was corrected before, as history: no stock moves, since what remained is in the stock that was read. */
export const writeAdjustments: UnitWriter = async (tx, terms, units, match) => {
  const { shopId, importId } = terms
  const outcomes: Outcome[] = []
  const places = await readLocations(tx, terms)
  const reads: Adjustment[] = []
  for (const { rows } of units) {
    const lines = rows.filter(isLine)
    for (const each of lines) {
      const found = readAdjustment(each, rows, terms, match, places)
      if (typeof found === 'string')
        outcomes.push({ position: each.position, state: 'fault', message: found })
      else reads.push(found)
    }
    for (const { position } of rows.filter((each) => !isLine(each)))
      outcomes.push(
        lines.length > 0
          ? { position, state: 'new' }
          : { position, state: 'skipped', message: 'The file has no products of this adjustment.' },
      )
  }
  const stored = await store(tx, shopId, importId, reads)
  const idOf = new Map(stored.map((each) => [each.fingerprint, each]))
  for (const { position, fingerprint } of reads) {
    const { id: targetId = null, isNew = false } = idOf.get(fingerprint) ?? {}
    const state = isNew ? 'new' : 'same'
    outcomes.push({ position, state, target: 'past_adjustment', targetId })
  }
  const isAllSame = stored.every(({ isNew }) => !isNew)
  return {
    outcomes: outcomes.map((each) =>
      each.state === 'new' && !each.target && isAllSame ? { ...each, state: 'same' as const } : each,
    ),
    made: stored.flatMap(({ id, isNew }) =>
      isNew ? [{ target: 'past_adjustment', targetId: id } as const] : [],
    ),
  }
}

const productFields = ['inventoryItemId', 'variantId', 'barcode', 'sku']
const isLine = (each: SourceRow) => productFields.some((field) => each.cell(field) !== '')

/** Reads a line; missing location, date and reason come from its adjustment's row. */
function readAdjustment(
  each: SourceRow,
  rows: readonly SourceRow[],
  { defaults, lastDay, equalAbove }: Pick<Terms, 'defaults' | 'lastDay' | 'equalAbove'>,
  match: VariantMatcher,
  places: Places,
): Adjustment | string {
  const sources = [each, ...rows.filter((other) => !isLine(other))].map(readerOf)
  const text = (field: string, max: number) =>
    sources.map((cells) => cells.text(field, max)).find((found) => found !== '') ?? ''
  const at =
    sources.map((cells) => cells.day('adjustedAt', 'Adjusted')).find((day) => day !== null) ??
    defaults.orderedOn ??
    null
  const [own] = sources
  const before = own?.signed('previousQuantity', 'Quantity before') ?? null
  const after = own?.signed('newQuantity', 'Quantity after') ?? null
  const given = own?.signed('quantity', 'Quantity') ?? null
  const quantity = given ?? (before !== null && after !== null ? after - before : null)
  const fault = sources.flatMap(({ faults }) => faults)[0]
  if (fault) return fault
  if (quantity === null || ![quantity, before ?? 0, after ?? 0].every(Number.isInteger))
    return 'The quantity must be a whole number.'
  if (at === null)
    return 'The file does not say when this was adjusted. Map a column with the date, or name a day.'
  if (at.slice(0, 10) > lastDay)
    return `Adjusted on ${at.slice(0, 10)}, which is in the future. Check the order of day and month.`
  const variant = match(each)
  if ('fault' in variant) return variant.fault
  const location = text('location', 200)
  const locationId = location === '' && !defaults.locationId ? null : places.find(location)
  if (locationId === undefined) return `No location is called ${location}. Choose one, or rename it.`
  const adjustment = {
    variantId: variant.id,
    locationId,
    at,
    quantity,
    before,
    after,
    reason: text('reason', 200),
    notes: text('notes', 1_000),
  }
  const above = equalAbove.get(each.position)
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([adjustment, each.cell('adjustmentId'), ...(above === undefined ? [] : [above])]))
    .digest('hex')
  return { ...adjustment, position: each.position, fingerprint }
}

const Stored = Type.Object({ id: Id, fingerprint: Type.String(), isNew: Type.Boolean() })

async function store(tx: Db, shopId: number, importId: number, adjustments: readonly Adjustment[]) {
  if (adjustments.length === 0) return []
  const records = adjustments.map(({ variantId, locationId, ...each }) => ({
    ...each,
    variant_id: variantId,
    location_id: locationId,
  }))
  return tx.any(sql.type(row(Stored))`
    with n as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
        position int, variant_id bigint, location_id bigint, at text, quantity int, before int, after int, reason text,
        notes text, fingerprint text
      )
    ),
    added as (
      insert into past_adjustment (
        shop_id, import_id, variant_id, location_id, adjusted_at, quantity, previous_quantity, new_quantity, reason, notes,
        fingerprint
      )
      select ${shopId}, ${importId}, variant_id, location_id, ${noonOrInstant(shopId, sql.fragment`n.at`)}, quantity, before, after, reason, notes,
        decode(fingerprint, 'hex')
      from n
      order by position
      on conflict (shop_id, fingerprint) do nothing
      returning id, encode(fingerprint, 'hex') as fingerprint
    )
    select id, fingerprint, true as is_new from added
    union all
    select a.id, n.fingerprint, false
    from n
    join past_adjustment a on a.shop_id = ${shopId} and a.fingerprint = decode(n.fingerprint, 'hex')
  `)
}
