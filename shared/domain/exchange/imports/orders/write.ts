import type { Db } from '../../../../db/db.ts'
import { fillImportedOrders } from '../../../documents/purchase-orders/imported/fill.ts'
import { insertImportedLines } from '../../../documents/purchase-orders/imported/insert-lines.ts'
import { insertImportedOrders } from '../../../documents/purchase-orders/imported/insert-orders.ts'
import { settleImportedOrders } from '../../../documents/purchase-orders/imported/settle.ts'
import type { Terms, Unit, UnitWriter } from '../load.ts'
import { type Places, readLocations } from '../locations.ts'
import { readSuppliers, type SupplierIndex } from '../match-suppliers.ts'
import type { VariantMatcher } from '../match-variants.ts'
import type { Made, Outcome } from '../outcomes.ts'
import { insertCharges } from './charges.ts'
import { earlierShareOf } from './earlier-shares.ts'
import { type Existing, keepVersions, missingLines, orderKey, readExisting } from './existing.ts'
import { takeNumbers } from './numbers.ts'
import { planOrder } from './plan.ts'
import { convertAmounts, convertCosts } from './read/money.ts'
import { insertReceipts } from './receipts.ts'
import { newLine, newOrder, ordersToFill, orderToSettle } from './rows.ts'
import { addSupplierProducts } from './supplier-products.ts'
import { addSuppliers } from './suppliers.ts'
import type { OrderPlan, PlannedLine } from './types.ts'
import { currencyOfOrder, type Planned, type WrittenOrder } from './written.ts'

type Fail = (unit: Unit, faults: ReadonlyMap<number, string>, message: string) => void

/**
 * Writes orders with their lines and with receipts of what arrived before: no stock moves, no cost is booked, and no mail is
 * queued. An existing order stays, and gets the lines and fields that it does not have while nothing has used it.
 * The number of statements does not depend on the number of orders.
 */
export const writeOrders: UnitWriter = async (tx, terms, units, match) => {
  const outcomes: Outcome[] = []
  const made: Made[] = []
  const fail: Fail = (unit, faults, message) => {
    for (const { position } of unit.rows)
      outcomes.push({ position, state: 'fault', message: faults.get(position) ?? message })
  }
  const places = await readLocations(tx, terms)
  const index = await readSuppliers(tx, terms.shopId)
  const plans = units.flatMap((unit) => planUnit(unit, terms, match, { places, index }, fail))
  const newSuppliers = await addSuppliers(tx, terms, index, plans.filter(isDated))
  made.push(...newSuppliers.made)
  const planned = plans.flatMap((each): Planned[] => {
    const supplier = newSuppliers.of(each.plan)
    if (!('fault' in supplier)) return [{ ...each, supplier }]
    fail(each.unit, each.faults, isDated(each) ? supplier.fault : noDate)
    return []
  })
  const { created, extended } = sort(planned, await readExisting(tx, terms, planned), terms, fail)

  const ids = await insertOrders(tx, terms, created)
  const orders: WrittenOrder[] = [
    ...created.map((each, at) => ({ each, id: ids[at] ?? 0, lines: each.plan.lines, known: null })),
    ...extended.map((each) => ({ each, id: each.existing.id, lines: each.missing, known: each.existing })),
  ]
  const lineIds = await insertLines(tx, terms, orders)
  await insertReceipts(tx, terms, places, orders, lineIds)
  const withLines = orders.filter((order) => order.lines.length > 0)
  await settleImportedOrders(tx, terms.shopId, withLines.map(orderToSettle))
  const charged = await insertCharges(tx, terms, orders, lineIds)
  const filled = await fillImportedOrders(tx, terms.shopId, ordersToFill(orders, charged.added))
  const isChanged = ({ id, lines: own }: WrittenOrder) => own.length > 0 || filled.get(id)?.isFilled === true
  const left = orders.filter((order) => order.known?.isUnchanged && isChanged(order))
  await keepVersions(tx, terms.shopId, left)
  if (!terms.hasSupplierProducts) made.push(...(await addSupplierProducts(tx, terms.shopId, orders)))
  for (const { each, id, known, lines: own } of orders) {
    const noRate = charged.left.get(each) ?? ''
    if (known === null) {
      made.push({ target: 'purchase_order', targetId: id, version: 1 })
      report(outcomes, each, 'new', id, [messageOf(each.plan), noRate])
      continue
    }
    for (const line of own)
      made.push({ target: 'purchase_order_line', targetId: lineIds.get(line) ?? 0, parentId: id })
    const { isFilled, fields } = filled.get(id) ?? {}
    if (isFilled) {
      const before = { fields, charges: charged.added.get(id) ?? [] }
      made.push({ target: 'filled_purchase_order', targetId: id, before })
    }
    const state = isFilled ? 'changed' : 'same'
    const messages = [messageOfKnown(known, each.plan, isFilled === false), noRate]
    report(outcomes, each, state, id, messages, new Set(own.map(({ position }) => position)))
  }
  return { outcomes, made }
}

function planUnit(
  unit: Unit,
  terms: Terms,
  match: VariantMatcher,
  { places, index }: { places: Places; index: SupplierIndex },
  fail: Fail,
): Omit<Planned, 'supplier'>[] {
  const { plan, faults, skipped } = planOrder(unit, terms, match, earlierShareOf(unit, terms, index))
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

/** Returns the new ids in order. */
async function insertOrders(tx: Db, terms: Terms, created: readonly Planned[]): Promise<number[]> {
  const numbers = await takeNumbers(tx, terms, created)
  const rows = created.map((each, at) => newOrder(each, numbers[at] ?? 0, terms.currency))
  return insertImportedOrders(tx, terms.shopId, terms.actor, rows)
}

/** Returns the new ids by line. */
async function insertLines(
  tx: Db,
  terms: Terms,
  orders: readonly WrittenOrder[],
): Promise<Map<PlannedLine, number>> {
  const lines = orders.flatMap(({ each, id, lines: own, known }) => {
    const currency = (known ? known.currency : currencyOfOrder(each)) ?? terms.currency
    const first = known ? known.lastPosition + 1 : 0
    return own.map((line, at) => ({ orderId: id, currency, line, position: first + at }))
  })
  const ids = await insertImportedLines(tx, terms.shopId, lines.map(newLine))
  return new Map(lines.map(({ line }, at) => [line, ids[at] ?? 0]))
}

type Extended = Planned & { existing: Existing; missing: PlannedLine[] }

const noDate =
  'The file does not say when this was ordered. Map a column with the date, or name a day for all orders.'

const isDated = ({ plan: { status, sentAt } }: Pick<Planned, 'plan'>) => status === 'draft' || sentAt !== null

/**
 * Takes from the existing order what the file of one order does not say but the list of all orders did: the day of ordering, and
 * that all pieces arrived or that the order is cancelled.
 */
function asKnown({ sentAt, status }: Existing, each: Planned): Planned {
  const plan = each.plan.isSentAtKnown || sentAt === null ? each.plan : { ...each.plan, sentAt }
  if (plan.isArrivalSaid || (status !== 'received' && status !== 'cancelled')) return { ...each, plan }
  for (const line of plan.lines) {
    const rest = Math.max(line.quantity - line.accepted - line.cancelled, 0)
    if (status === 'received') line.accepted += rest
    else line.cancelled += rest
  }
  return { ...each, plan: { ...plan, status, isArrivalKnown: status === 'cancelled' } }
}

/** Where nothing says when an order was sent, it has the day of its first arrival, from which a lead time of 0 days would follow. */
const withoutGuessedLeadTime = (plan: OrderPlan, { orderedOn }: Terms['defaults']): OrderPlan =>
  plan.isSentAtKnown || orderedOn || plan.invoiceDate !== null || plan.status === 'draft'
    ? plan
    : { ...plan, isArrivalKnown: plan.status !== 'partial' && plan.status !== 'received' }

/** Sorts the orders into new and existing ones. */
function sort(
  planned: readonly Planned[],
  existing: ReadonlyMap<string, Existing>,
  { currency: shopCurrency, defaults }: Pick<Terms, 'currency' | 'defaults'>,
  fail: Fail,
) {
  const created: Planned[] = []
  const extended: Extended[] = []
  const seen = new Set<string>()
  for (const given of planned) {
    const key = orderKey(given)
    const known = existing.get(key)
    const each = known ? asKnown(known, given) : given
    const missing = known ? missingLines(each.plan.lines, known) : each.plan.lines
    const fault =
      seen.has(key) || known?.isTaken
        ? `Two orders of ${each.supplier.name} have the number ${each.plan.number}.`
        : faultOf(each, missing, known, shopCurrency)
    if (fault) {
      fail(each.unit, each.faults, fault)
      continue
    }
    seen.add(key)
    if (known) {
      const plan = convertAmounts(each.plan, known, shopCurrency)
      extended.push({ ...each, plan, existing: known, missing: [...missing] })
    } else created.push({ ...each, plan: withoutGuessedLeadTime(each.plan, defaults) })
  }
  return { created, extended }
}

function faultOf(
  each: Planned,
  lines: readonly PlannedLine[],
  known: Existing | undefined,
  shopCurrency: string,
): string {
  if (!isDated(each)) return noDate
  if (known?.isTouched && lines.length > 0)
    return `${known.poNumber} has been changed here since it was imported, so no lines are added.`
  const { plan } = each
  const currency = (known ? known.currency : currencyOfOrder(each)) ?? shopCurrency
  const rate = known ? known.rate : plan.rate
  if (convertCosts(plan, lines, { currency, rate }, shopCurrency)) return ''
  if (plan.currency === shopCurrency)
    return `${known?.poNumber} is in ${currency} and has no exchange rate, so costs in ${plan.currency} cannot be converted. Enter the rate in the order, and import these rows again.`
  const both = `The file has costs in ${plan.currency}, and ${known?.poNumber} is in ${currency}.`
  return currency === shopCurrency
    ? `${both} Add a column with the exchange rate to the file, or change its currency.`
    : `${both} Change the currency in the file.`
}

const messageOf = ({ lines, status }: OrderPlan) =>
  lines.length === 0 && (status === 'sent' || status === 'draft')
    ? 'The order has no lines. Import its own file, or add the lines, before you receive goods.'
    : ''

function messageOfKnown({ poNumber, status }: Existing, plan: OrderPlan, isLeftOut: boolean): string {
  if (status === 'draft' && plan.status !== 'draft')
    return `${poNumber} is a draft here and stays one. Send it, or revert its import and import both files together.`
  return isLeftOut
    ? `${poNumber} has been changed here since it was imported, so its empty fields are not filled in.`
    : ''
}

function report(
  outcomes: Outcome[],
  { unit, faults, skipped }: Planned,
  state: 'new' | 'same' | 'changed',
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
