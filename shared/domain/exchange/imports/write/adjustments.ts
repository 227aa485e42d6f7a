import { createHash } from 'node:crypto'
import type { Db } from '../../../../db/db.ts'
import {
  type ImportedAdjustment,
  storePastAdjustments,
} from '../../../documents/past-adjustments/imported.ts'
import { type BasicTerms, readerOf, type SourceRow, type Terms, type Unit, type UnitWriter } from '../load.ts'
import { type Places, readLocations } from '../locations.ts'
import type { VariantMatcher } from '../match-variants.ts'
import type { Outcome } from '../outcomes.ts'

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
  const reads: ImportedAdjustment[] = []
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
  const stored = await storePastAdjustments(tx, shopId, importId, reads)
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
): ImportedAdjustment | string {
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
