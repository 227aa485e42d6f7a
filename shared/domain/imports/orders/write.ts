import { type Db, sql } from '../../../db/db.ts'
import { followDueDates } from '../../purchase-orders/overdue.ts'
import type { Terms, Unit } from '../load.ts'
import { readLocations } from '../locations.ts'
import { readSuppliers } from '../match-suppliers.ts'
import type { VariantMatcher } from '../match-variants.ts'
import type { Made, Outcome } from '../outcomes.ts'
import { insertCharges } from './charges.ts'
import { type Existing, missingLines, orderKey, readExisting } from './existing.ts'
import { insertOrders } from './insert.ts'
import { insertLines } from './lines.ts'
import { planOrder } from './plan.ts'
import { insertReceipts } from './receipts.ts'
import { settleOrders } from './settle.ts'
import { addSupplierProducts } from './supplier-products.ts'
import { addSuppliers } from './suppliers.ts'
import type { OrderPlan, PlannedLine } from './types.ts'
import { currencyOfOrder, type Planned, type WrittenOrder } from './written.ts'

type Written = { outcomes: Outcome[]; made: Made[] }
type Fail = (unit: Unit, faults: ReadonlyMap<number, string>, message: string) => void

/**
 * Writes orders with their lines and with receipts of what arrived before: no stock moves, no cost is booked, and no mail is
 * queued. An order that is here already stays, and gets the lines that it does not have while nothing has used it.
 * The number of statements does not depend on the number of orders.
 */
export async function writeOrders(
  tx: Db,
  terms: Terms,
  units: readonly Unit[],
  match: VariantMatcher,
): Promise<Written> {
  const outcomes: Outcome[] = []
  const made: Made[] = []
  const fail: Fail = (unit, faults, message) => {
    for (const { position } of unit.rows)
      outcomes.push({ position, state: 'fault', message: faults.get(position) ?? message })
  }
  const places = await readLocations(tx, terms)
  const plans = units.flatMap((unit) => planUnit(unit, terms, match, places, fail))
  const index = await readSuppliers(tx, terms.shopId)
  const newSuppliers = await addSuppliers(tx, terms, index, plans.filter(isDated))
  made.push(...newSuppliers.made)
  const planned = plans.flatMap((each): Planned[] => {
    const supplier = newSuppliers.of(each.plan)
    if (!('fault' in supplier)) return [{ ...each, supplier }]
    fail(each.unit, each.faults, isDated(each) ? supplier.fault : noDate)
    return []
  })
  const { created, extended } = sort(planned, await readExisting(tx, terms, planned), fail)

  const ids = await insertOrders(tx, terms, created)
  await followDueDates(tx, terms.shopId, sql.fragment`o.id = any(${sql.array([...ids.values()], 'int8')})`)
  const orders: WrittenOrder[] = [
    ...created.map((each) => ({ each, id: ids.get(each) ?? 0, lines: each.plan.lines, isNew: true })),
    ...extended
      .filter(({ missing }) => missing.length > 0)
      .map((each) => ({ each, id: each.existing.id, lines: each.missing, isNew: false })),
  ]
  const lines = orders.flatMap(({ each, id, lines: own, isNew }) => {
    const known = isNew ? null : ((each as Extended).existing ?? null)
    const currency = (known ? known.currency : currencyOfOrder(each)) ?? terms.currency
    const first = known ? known.lastPosition + 1 : 0
    return own.map((line, at) => ({ orderId: id, currency, line, position: first + at }))
  })
  const lineIds = await insertLines(tx, terms, lines)
  await insertReceipts(tx, terms, places, orders, lineIds)
  await settleOrders(tx, terms, orders)
  const left = await insertCharges(tx, terms, orders, lineIds)
  if (!terms.hasSupplierProducts) made.push(...(await addSupplierProducts(tx, terms.shopId, orders)))
  for (const { each, id, isNew, lines: own } of orders) {
    if (isNew) made.push({ target: 'purchase_order', targetId: id, version: 1 })
    else
      for (const line of own)
        made.push({ target: 'purchase_order_line', targetId: lineIds.get(line) ?? 0, parentId: id })
    if (isNew) report(outcomes, each, 'new', id, [messageOf(each.plan), left.get(each) ?? ''])
  }
  for (const each of extended)
    report(
      outcomes,
      each,
      'same',
      each.existing.id,
      [],
      new Set(each.missing.map(({ position }) => position)),
    )
  return { outcomes, made }
}

function planUnit(
  unit: Unit,
  terms: Terms,
  match: VariantMatcher,
  places: Awaited<ReturnType<typeof readLocations>>,
  fail: Fail,
): Omit<Planned, 'supplier'>[] {
  const { plan, faults, skipped } = planOrder(unit, terms, match)
  if (!plan) {
    fail(unit, faults, 'This order cannot be imported.')
    return []
  }
  const names = [plan.location, ...(plan.receipts ?? []).map(({ location }) => location)]
  const unknown = names.find((name) => places.find(name) === undefined)
  const locationId = places.find(plan.location)
  if (unknown !== undefined || locationId === undefined)
    fail(unit, faults, `No location is called ${unknown}. Choose one for all orders, or rename it.`)
  else if (locationId === null && plan.lines.some(({ accepted }) => accepted > 0))
    fail(unit, faults, 'The shop has no location yet. Wait for the first sync, and import again.')
  else {
    const isChosen = plan.location !== '' || Boolean(terms.defaults.locationId)
    return [{ unit, plan, faults, skipped, locationId: isChosen ? locationId : null }]
  }
  return []
}

type Extended = Planned & { existing: Existing; missing: PlannedLine[] }

const noDate =
  'The file does not say when this was ordered. Map a column with the date, or name a day for all orders.'

const isDated = ({ plan: { status, sentAt } }: Pick<Planned, 'plan'>) => status === 'draft' || sentAt !== null

/** The file of one order may lack the day of ordering, which the list of all orders has brought. */
const withDayOf = ({ sentAt }: Existing, each: Planned): Planned =>
  each.plan.isSentAtKnown || sentAt === null ? each : { ...each, plan: { ...each.plan, sentAt } }

/** Which orders are new, and which are here already. */
function sort(planned: readonly Planned[], existing: ReadonlyMap<string, Existing>, fail: Fail) {
  const created: Planned[] = []
  const extended: Extended[] = []
  const seen = new Set<string>()
  for (const given of planned) {
    const key = orderKey(given)
    const known = existing.get(key)
    const each = known ? withDayOf(known, given) : given
    const { unit, faults, plan, supplier } = each
    const missing = known ? missingLines(plan.lines, known) : []
    if (seen.has(key) || known?.isTaken)
      fail(unit, faults, `Two orders of ${supplier.name} have the number ${plan.number}.`)
    else if (!isDated(each)) fail(unit, faults, noDate)
    else if (known && missing.length > 0 && known.isTouched) {
      fail(
        unit,
        faults,
        `${known.poNumber} has been changed here since it was imported, so no lines are added.`,
      )
    } else {
      seen.add(key)
      if (known) extended.push({ ...each, existing: known, missing })
      else created.push(each)
    }
  }
  return { created, extended }
}

const messageOf = ({ lines, status }: OrderPlan) =>
  lines.length === 0 && (status === 'sent' || status === 'draft')
    ? 'The order has no lines. Import its own file, or add the lines, before you receive goods.'
    : ''

function report(
  outcomes: Outcome[],
  { unit, faults, skipped }: Planned,
  state: 'new' | 'same',
  orderId: number,
  messages: readonly string[],
  changedRows: ReadonlySet<number> = new Set(),
): void {
  const message = messages.filter(Boolean).join(' ')
  for (const { position } of unit.rows) {
    const fault = faults.get(position)
    const reason = skipped.get(position)
    if (fault) outcomes.push({ position, state: 'fault', message: fault })
    else if (reason) outcomes.push({ position, state: 'skipped', message: reason })
    else {
      const own = changedRows.has(position) ? 'changed' : state
      outcomes.push({ position, state: own, message, target: 'purchase_order', targetId: orderId })
    }
  }
}
