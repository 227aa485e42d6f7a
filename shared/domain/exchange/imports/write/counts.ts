import { Type } from '@sinclair/typebox'
import { row, sql } from '../../../../db/db.ts'
import { Id } from '../../../../schemas/common.ts'
import { storeImportedCount } from '../../../documents/stock-counts/imported/counts.ts'
import { readerOf, type UnitWriter } from '../load.ts'
import { supplierKey } from '../match-suppliers.ts'
import type { Made, Outcome } from '../outcomes.ts'
import { type GivenCosts, storeCosts } from './costs.ts'

const Place = Type.Object({ id: Id, gid: Type.String(), name: Type.String() })
const maxQuantity = 1_000_000_000

/**
 * Stores counts of the past as submitted ones. No stock moves: what was counted then is in the stock that was read. A cost in a row
 * becomes that of a product which has none. An existing count gets the products that it lacks; a number that differs from
 * its own is a fault.
 */
export const writeCounts: UnitWriter = async (tx, terms, units, match) => {
  const { shopId, actor, defaults, lastDay } = terms
  const outcomes: Outcome[] = []
  const made: Made[] = []
  const costs: GivenCosts = new Map()
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
          ? `No location is called ${name}. Choose one, or rename it.`
          : 'The file does not say which location was counted. Choose one.',
      )
      continue
    }
    if (cells.faults[0] || day === null) {
      fail(
        cells.faults[0] ??
          'The file does not say when this was counted. Map a column with the date, or name a day.',
      )
      continue
    }
    if (day.slice(0, 10) > lastDay) {
      fail(`Counted on ${day.slice(0, 10)}, which is in the future. Check the order of day and month.`)
      continue
    }
    const items = new Map<number, { counted: number; expected: number; position: number }>()
    const own: Outcome[] = []
    for (const each of rows) {
      const read = readerOf(each)
      const counted = read.number('counted', 'Counted', maxQuantity)
      // the stock of other systems may be below 0
      const expected = read.signed('expected', 'Expected')
      const cost = read.number('cost', 'Cost')
      const variant = match(each)
      const fault = read.faults[0] ?? ('fault' in variant ? variant.fault : '')
      if (fault === '' && cost !== null && cost > 0 && !('fault' in variant) && !variant.isDeleted)
        costs.set(variant.id, { cost: Math.round(cost * 10_000) / 10_000, position: each.position })
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
      else items.set(variant.id, { counted, expected: expected ?? counted, position: each.position })
    }
    outcomes.push(...own)
    if (items.size === 0) continue
    const notes = `Imported: ${first.cell('countName') || first.cell('fileName') || first.sheet}`.slice(
      0,
      500,
    )
    const list = [...items].map(([variantId, { counted, expected }]) => ({ variantId, counted, expected }))
    const stored = await storeImportedCount(tx, shopId, actor, { locationId: place.id, day, notes }, list)
    const [one] = stored
    if (one?.isNew) made.push({ target: 'stock_count', targetId: one.id })
    for (const { id, variantId, isNew, known } of stored) {
      const { position = 0, counted = 0 } = items.get(variantId) ?? {}
      const of = { position, target: 'stock_count', targetId: id } as const
      if (known !== null && known !== counted) {
        const message = `This count already exists with quantity ${known}; it was not changed to ${counted}.`
        outcomes.push({ position, state: 'fault', message })
      } else if (!isNew && known === null) {
        const message = `The product is added to the count, with quantity ${counted}.`
        outcomes.push({ ...of, state: 'changed', message })
      } else outcomes.push({ ...of, state: isNew ? 'new' : 'same' })
    }
  }
  const stored = await storeCosts(tx, terms, costs, { onlyMissing: true })
  return { outcomes, made: [...made, ...stored.made] }
}
