import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { minorDigitsOf } from '../../currency.ts'
import { type Db, row, sql } from '../../db/db.ts'
import { Id } from '../../schemas/common.ts'
import { timeZoneOf } from '../date-range.ts'
import type { Terms, Unit } from './load.ts'
import { type KnownSupplier, readSuppliers, type SupplierIndex, supplierKey } from './match-suppliers.ts'
import type { VariantMatcher } from './match-variants.ts'
import { type OrderPlan, type PlannedLine, planOrder } from './order-plan.ts'
import type { Made, Outcome } from './outcomes.ts'

type Planned = {
  unit: Unit
  plan: OrderPlan
  faults: Map<number, string>
  supplier: KnownSupplier
  locationId: number | null
}

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
): Promise<{ outcomes: Outcome[]; made: Made[] }> {
  const outcomes: Outcome[] = []
  const made: Made[] = []
  const index = await readSuppliers(tx, terms.shopId)
  const places = await readLocations(tx, terms)
  const plans: Omit<Planned, 'supplier'>[] = []
  const fail = (unit: Unit, faults: ReadonlyMap<number, string>, message: string) => {
    for (const { position } of unit.rows)
      outcomes.push({ position, state: 'fault', message: faults.get(position) ?? message })
  }
  for (const unit of units) {
    const { plan, faults } = planOrder(unit, terms, match)
    if (!plan) fail(unit, faults, 'This order cannot be imported.')
    else {
      const locationId = places.find(plan.location)
      if (locationId === undefined)
        fail(unit, faults, `No location is called ${plan.location}. Choose one for all orders, or rename it.`)
      else if (locationId === null && plan.lines.some(({ accepted }) => accepted > 0))
        fail(unit, faults, 'The shop has no location yet. Wait for the first sync, and import again.')
      else
        plans.push({
          unit,
          plan,
          faults,
          locationId: plan.location === '' && !terms.defaults.locationId ? null : locationId,
        })
    }
  }
  const newSuppliers = await addSuppliers(tx, terms, index, plans)
  made.push(...newSuppliers.made)
  const planned = plans.flatMap((each) => {
    const supplier = newSuppliers.of(each.plan)
    if (!('fault' in supplier)) return [{ ...each, supplier }]
    fail(each.unit, each.faults, supplier.fault)
    return []
  })

  const existing = await readExisting(tx, terms.shopId, planned)
  const created: Planned[] = []
  const extended: (Planned & { existing: Existing; missing: PlannedLine[] })[] = []
  const pending = new Set<string>()
  for (const each of planned) {
    const key = orderKey(each)
    const known = existing.get(key)
    if (pending.has(key)) {
      fail(each.unit, each.faults, `Two orders of ${each.supplier.name} have the number ${each.plan.number}.`)
      continue
    }
    pending.add(key)
    if (!known) created.push(each)
    else {
      const missing = missingLines(each.plan.lines, known)
      if (missing.length > 0 && known.isTouched) {
        fail(
          each.unit,
          each.faults,
          `${known.poNumber} has been changed here since it was imported, so no lines are added.`,
        )
      } else extended.push({ ...each, existing: known, missing })
    }
  }

  const ids = await insertOrders(tx, terms, created)
  const lines = [
    ...created.flatMap((each) =>
      each.plan.lines.map((line, at) => ({ ...toLine(each, ids, terms), line, position: at })),
    ),
    ...extended.flatMap((each) =>
      each.missing.map((line, at) => ({
        orderId: each.existing.id,
        currency: each.existing.currency ?? terms.currency,
        line,
        position: each.existing.lastPosition + 1 + at,
      })),
    ),
  ]
  const lineIds = await insertLines(tx, terms, lines)
  const changed = extended.filter(({ missing }) => missing.length > 0)
  const orders = [
    ...created.map((each) => ({ each, id: ids.get(each) ?? 0, lines: each.plan.lines, isNew: true })),
    ...changed.map((each) => ({ each, id: each.existing.id, lines: each.missing, isNew: false })),
  ]
  await insertReceipts(tx, terms, places.fallback, orders, lineIds)
  await settleOrders(tx, terms, orders)
  made.push(...(await addSupplierProducts(tx, terms.shopId, orders)))
  for (const { id, isNew } of orders)
    if (isNew) made.push({ target: 'purchase_order', targetId: id, version: 1 })
  for (const { orderId, line } of lines) {
    const lineId = lineIds.get(line)
    if (lineId && extended.some((each) => each.existing.id === orderId))
      made.push({ target: 'purchase_order_line', targetId: lineId, parentId: orderId })
  }

  for (const each of created) report(outcomes, each, 'new', ids.get(each) ?? 0, messageOf(each.plan))
  for (const each of extended) {
    report(
      outcomes,
      each,
      'same',
      each.existing.id,
      '',
      new Set(each.missing.map(({ position }) => position)),
    )
  }
  return { outcomes, made }
}

const messageOf = ({ lines, status }: OrderPlan) =>
  lines.length === 0 && (status === 'sent' || status === 'draft')
    ? 'The order has no lines. Import its own file, or add the lines, before you receive goods.'
    : ''

function report(
  outcomes: Outcome[],
  { unit, faults }: Planned,
  state: 'new' | 'same',
  orderId: number,
  message: string,
  changedRows: ReadonlySet<number> = new Set(),
): void {
  for (const { position } of unit.rows) {
    const fault = faults.get(position)
    if (fault) outcomes.push({ position, state: 'fault', message: fault })
    else {
      const own = changedRows.has(position) ? 'changed' : state
      outcomes.push({ position, state: own, message, target: 'purchase_order', targetId: orderId })
    }
  }
}

const orderKey = ({ plan, supplier }: Pick<Planned, 'plan' | 'supplier'>) =>
  `${plan.number.toLowerCase()} ${supplier.id}`

function toLine(each: Planned, ids: ReadonlyMap<Planned, number>, terms: Terms) {
  return { orderId: ids.get(each) ?? 0, currency: currencyOfOrder(each) ?? terms.currency }
}

const currencyOfOrder = ({ plan, supplier }: Planned) => plan.currency ?? supplier.currency

const Place = Type.Object({ id: Id, gid: Type.String(), name: Type.String(), isPrimary: Type.Boolean() })

/** `find`: the id of a location by its name, else the chosen one, else the primary; undefined for an unknown name. */
async function readLocations(tx: Db, { shopId, defaults }: Terms) {
  const places = await tx.any(sql.type(row(Place))`
    select id, gid, name, is_primary from location where shop_id = ${shopId} order by is_active desc, id
  `)
  const chosen = places.find(({ gid }) => gid === defaults.locationId)
  const fallback = (chosen ?? places.find(({ isPrimary }) => isPrimary) ?? places[0])?.id ?? null
  const byName = new Map(places.map(({ name, id }) => [supplierKey(name), id]))
  return {
    fallback,
    find: (name: string): number | null | undefined => {
      const known = name === '' ? undefined : byName.get(supplierKey(name))
      if (known !== undefined) return known
      return name !== '' && !chosen ? undefined : fallback
    },
  }
}

/** The suppliers of orders; those that the shop does not have are added by name. */
async function addSuppliers(
  tx: Db,
  { shopId, defaults }: Terms,
  index: SupplierIndex,
  plans: readonly Pick<Planned, 'plan'>[],
) {
  const missing = new Map<string, { name: string; ref: string; currency: string | null }>()
  const find = ({ supplierRef, supplierName }: OrderPlan) => {
    if (supplierRef !== '' || supplierName !== '') return index.find(supplierRef, supplierName)
    return (
      (defaults.supplierId && index.byId(defaults.supplierId)) || {
        fault: 'The file names no supplier. Choose one for its orders.',
      }
    )
  }
  for (const { plan } of plans) {
    if (find(plan) !== null) continue
    if (plan.supplierName !== '')
      missing.set(supplierKey(plan.supplierName), {
        name: plan.supplierName,
        ref: plan.supplierRef,
        currency: plan.currency,
      })
  }
  const records = [...missing.values()]
  const created = await tx.any(sql.type(row(Type.Object({ id: Id, name: Type.String() })))`
    insert into supplier (shop_id, name, external_ref)
    select ${shopId}::bigint, name, ref
    from ${sql.unnest(
      records.map(({ name, ref }) => [name, ref]),
      ['text', 'text'],
    )} as given (name, ref)
    returning id, name
  `)
  for (const { id, name } of created) {
    const { ref = '' } = missing.get(supplierKey(name)) ?? {}
    index.add({ id, name, externalRef: ref, currency: null, isArchived: false, aliases: [] })
  }
  const made: Made[] = created.map(({ id }) => ({ target: 'supplier', targetId: id, version: 1 }))
  const of = (plan: OrderPlan): KnownSupplier | { fault: string } =>
    find(plan) ?? {
      fault: `No supplier has the id ${plan.supplierRef}. Import the suppliers first, or map a column with the name.`,
    }
  return { made, of }
}

const Existing = Type.Object({
  id: Id,
  key: Type.String(),
  poNumber: Type.String(),
  currency: Type.Union([Type.String(), Type.Null()]),
  lastPosition: Type.Integer(),
  isTouched: Type.Boolean(),
  /** By variant. */
  lines: Type.Array(Type.Object({ variantId: Id, count: Type.Integer() })),
})
type Existing = Static<typeof Existing>

/** Orders that an import has made, by their old number and supplier, and orders with our own number. */
async function readExisting(
  tx: Db,
  shopId: number,
  planned: readonly Planned[],
): Promise<Map<string, Existing>> {
  const wanted = planned.map(({ plan, supplier }) => [plan.number.toLowerCase(), supplier.id])
  const rows = await tx.any(sql.type(row(Existing))`
    with wanted as materialized (
      select distinct number, supplier_id from ${sql.unnest(wanted, ['text', 'int8'])} as given (number, supplier_id)
    ),
    found as (
      select o.id, w.number || ' ' || w.supplier_id as key
      from wanted w
      join purchase_order o on o.shop_id = ${shopId} and o.is_imported and lower(o.source_number) = w.number
        and o.supplier_id = w.supplier_id
      union
      select o.id, w.number || ' ' || w.supplier_id
      from wanted w
      join purchase_order o on o.shop_id = ${shopId} and o.supplier_id = w.supplier_id
        and o.number = case when w.number ~ '^po-\\d{5,9}$' then substring(w.number from '\\d+')::int end
    )
    select o.id, f.key, o.po_number, o.currency,
      coalesce((
        select max(l.position) from purchase_order_line l where l.shop_id = ${shopId} and l.purchase_order_id = o.id
      ), -1) as last_position,
      not o.is_imported or o.revision > 0
        or exists (select from outgoing_mail m where m.shop_id = ${shopId} and m.purchase_order_id = o.id)
        or exists (
          select from receipt r
          where r.shop_id = ${shopId} and r.purchase_order_id = o.id and (not r.is_imported or r.reversed_at is not null)
        ) as is_touched,
      (
        select coalesce(jsonb_agg(jsonb_build_object('variantId', variant_id, 'count', count)), '[]')
        from (
          select l.variant_id, count(*)
          from purchase_order_line l
          where l.shop_id = ${shopId} and l.purchase_order_id = o.id
          group by l.variant_id
        ) x
      ) as lines
    from found f
    join purchase_order o on o.shop_id = ${shopId} and o.id = f.id
    order by o.id desc
  `)
  return new Map(rows.map((each) => [each.key, each]))
}

/** The lines that the order does not have: of three lines of a variant, an order with one lacks two. */
function missingLines(lines: readonly PlannedLine[], { lines: stored }: Existing): PlannedLine[] {
  const left = new Map(stored.map(({ variantId, count }) => [variantId, count]))
  return lines.filter(({ variant }) => {
    const count = left.get(variant.id) ?? 0
    left.set(variant.id, count - 1)
    return count <= 0
  })
}

/** SQL for the instant of a day or an instant: of a day, noon in the shop's time zone. */
const instantOf = (shopId: number, column: string) => {
  const value = sql.identifier(['n', column])
  return sql.fragment`
    case when length(${value}) = 10 then (${value} || ' 12:00')::timestamp at time zone ${timeZoneOf(shopId)}
      else ${value}::timestamptz end
  `
}

const NewOrder = Type.Object({ id: Id, at: Type.Integer() })

async function insertOrders(
  tx: Db,
  terms: Terms,
  created: readonly Planned[],
): Promise<Map<Planned, number>> {
  if (created.length === 0) return new Map()
  const { shopId, actor } = terms
  const numbers = await takeNumbers(tx, terms, created)
  const records = created.map((each, at) => {
    const { plan, supplier, locationId } = each
    const currency = currencyOfOrder(each)
    return {
      at,
      number: numbers[at],
      supplier_id: supplier.id,
      location_id: locationId,
      status: plan.status,
      currency: plan.currency ?? supplier.currency,
      rate: currency === null || currency === terms.currency ? null : plan.rate,
      is_foreign: currency !== null && currency !== terms.currency,
      total: plan.lines.length === 0 ? roundTo(plan.total, minorDigitsOf(currency ?? terms.currency)) : 0,
      source_number: plan.number,
      created: plan.createdAt,
      sent: plan.sentAt,
      expected: plan.expectedAt,
      ordered: plan.orderedAt,
      paid: plan.paidAt,
      invoice_number: plan.invoiceNumber,
      invoice_date: plan.invoiceDate,
      payment_due_on: plan.paymentDueOn,
      notes: plan.notes,
      supplier_reference: plan.supplierReference,
      is_arrival_known: plan.isArrivalKnown,
    }
  })
  const rows = await tx.any(sql.type(row(NewOrder))`
    with n as materialized (
      select *
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
        at int, number int, supplier_id bigint, location_id bigint, status text, currency text, rate numeric,
        is_foreign boolean, total numeric, source_number text, created text, sent text, expected text, ordered text,
        paid text, invoice_number text, invoice_date date, payment_due_on date, notes text, supplier_reference text,
        is_arrival_known boolean
      )
    ),
    created as (
      insert into purchase_order (
        shop_id, number, supplier_id, status, notes, supplier_reference, destination_location_id, created_by, created_at,
        updated_at, sent_at, expected_at, received_at, currency, rate, subtotal, is_own_tax, source_number, is_imported,
        ordered_at, invoice_number, invoice_date, payment_due_on, paid_at, is_arrival_known
      )
      select ${shopId}, n.number, n.supplier_id, n.status, n.notes, n.supplier_reference, n.location_id, ${actor},
        coalesce(${instantOf(shopId, 'created')}, clock_timestamp()), clock_timestamp(), ${instantOf(shopId, 'sent')},
        ${instantOf(shopId, 'expected')}, case when n.status in ('partial', 'received') then ${instantOf(shopId, 'sent')} end,
        n.currency, case when n.is_foreign then coalesce(n.rate, (
          select x.rate from exchange_rate x where x.shop_id = ${shopId} and x.currency = n.currency order by x.day desc limit 1
        )) end,
        n.total, false, n.source_number, true, ${instantOf(shopId, 'ordered')}, n.invoice_number, n.invoice_date,
        n.payment_due_on, ${instantOf(shopId, 'paid')}, n.is_arrival_known
      from n
      order by n.at
      returning id, number
    )
    select created.id, n.at from created join n on n.number = created.number
  `)
  return new Map(rows.flatMap(({ id, at }) => (created[at] ? [[created[at], id] as const] : [])))
}

const roundTo = (amount: number, digits: number) => Number(amount.toFixed(digits))

const Counter = Type.Object({ lastNumber: Type.Integer() })
const UsedNumber = Type.Object({ number: Type.Integer() })
const maxContinued = 100_000_000
/**
 * A rehearsal must not lock the counter, for which the shop's users wait, nor use the numbers of another rehearsal; its
 * numbers are rolled back. The largest is 2 139 999 999, which fits into 32 bits.
 */
const firstOfRehearsal = 2_000_000_000
const rehearsals = 7_000
const ordersPerRehearsal = 20_000

/** Our numbers for orders: the next ones, or with `continueNumbers` the old ones where they are free. */
async function takeNumbers(
  tx: Db,
  { shopId, importId, defaults, isRehearsal }: Terms,
  created: readonly Planned[],
): Promise<number[]> {
  if (isRehearsal) {
    const taken = await tx.oneFirst(sql.type(row(Type.Object({ count: Type.Integer() })))`
      select count(*) from import_target
      where shop_id = ${shopId} and import_id = ${importId} and target = 'purchase_order'
    `)
    const first = firstOfRehearsal + (importId % rehearsals) * ordersPerRehearsal
    return created.map((_, at) => first + taken + at)
  }
  const wanted = created.map(({ plan }) => {
    const number = Number(/(\d{1,9})$/.exec(plan.number)?.[1] ?? 0)
    return defaults.continueNumbers && number > 0 && number <= maxContinued ? number : null
  })
  const largest = Math.max(0, ...wanted.map((number) => number ?? 0))
  const take = (count: number, least: number) =>
    tx.one(sql.type(row(Counter))`
      insert into purchase_order_counter as c (shop_id, last_number)
      values (${shopId}, ${Math.max(least, 0) + count})
      on conflict (shop_id) do update set last_number = greatest(c.last_number, ${least}::int) + ${count}::int
      returning last_number
    `)
  await take(0, largest)
  const used = await tx.any(sql.type(row(UsedNumber))`
    select number
    from purchase_order
    where shop_id = ${shopId} and number = any(${sql.array(
      wanted.flatMap((number) => number ?? []),
      'int4',
    )})
  `)
  const taken = new Set(used.map(({ number }) => number))
  const own = wanted.map((number) => {
    if (number === null || taken.has(number)) return null
    taken.add(number)
    return number
  })
  const count = own.filter((number) => number === null).length
  const { lastNumber } = await take(count, 0)
  let next = lastNumber - count
  return own.map((number) => {
    if (number !== null) return number
    next += 1
    return next
  })
}

type LineToWrite = { orderId: number; currency: string; line: PlannedLine; position: number }

/** Returns the new ids by line. */
async function insertLines(
  tx: Db,
  { shopId }: Terms,
  lines: readonly LineToWrite[],
): Promise<Map<PlannedLine, number>> {
  if (lines.length === 0) return new Map()
  const records = lines.map(({ orderId, currency, line, position }) => ({
    order_id: orderId,
    position,
    variant_id: line.variant.id,
    sku: line.variant.sku.slice(0, 255),
    title: (line.variant.title || line.variant.sku || 'Product').slice(0, 500),
    barcode: line.variant.barcode,
    quantity: line.quantity,
    accepted: line.accepted,
    cancelled: line.cancelled,
    cost: line.cost,
    supplier_sku: line.supplierSku,
    discount: line.discountPercent,
    tax: line.taxRate,
    digits: minorDigitsOf(currency),
  }))
  const rows = await tx.any(sql.type(row(Type.Object({ id: Id, orderId: Id, position: Type.Integer() })))`
    insert into purchase_order_line (
      shop_id, purchase_order_id, position, variant_id, sku, title, barcode, is_own_sku, is_own_title, quantity, accepted,
      cancelled, cost_price, supplier_sku, discount_percent, tax_rate, minor_digits
    )
    select ${shopId}, order_id, position, variant_id, sku, title, barcode, false, false, quantity, accepted, cancelled,
      cost, supplier_sku, discount, tax, digits
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as n (
      order_id bigint, position int, variant_id bigint, sku text, title text, barcode text, quantity int, accepted int,
      cancelled int, cost numeric, supplier_sku text, discount numeric, tax numeric, digits int
    )
    order by order_id, position
    returning id, purchase_order_id as order_id, position
  `)
  const idOf = new Map(rows.map(({ id, orderId, position }) => [`${orderId} ${position}`, id]))
  return new Map(lines.map(({ orderId, position, line }) => [line, idOf.get(`${orderId} ${position}`) ?? 0]))
}

type WrittenOrder = { each: Planned; id: number; lines: readonly PlannedLine[]; isNew: boolean }

/** One receipt for each day on which goods of an order came. Its lines are not stocked: the pieces are in the stock that was read. */
async function insertReceipts(
  tx: Db,
  { shopId, importId, actor }: Terms,
  fallback: number | null,
  orders: readonly WrittenOrder[],
  lineIds: ReadonlyMap<PlannedLine, number>,
): Promise<void> {
  const receipts: object[] = []
  const received: [string, number, number][] = []
  for (const { each, id, lines } of orders) {
    const days = new Map<string, PlannedLine[]>()
    for (const line of lines) {
      if (line.accepted === 0) continue
      const at = line.receivedAt ?? each.plan.sentAt ?? ''
      days.set(at, [...(days.get(at) ?? []), line])
    }
    for (const [at, arrived] of [...days].sort()) {
      const fingerprint = createHash('sha256').update(`import/${importId}/${id}/${at}`).digest('hex')
      receipts.push({
        order_id: id,
        location_id: each.locationId ?? fallback,
        received: at,
        status: each.plan.status === 'partial' ? 'partial' : 'received',
        fingerprint,
      })
      for (const line of arrived) received.push([fingerprint, lineIds.get(line) ?? 0, line.accepted])
    }
  }
  if (receipts.length === 0) return
  await tx.query(sql.typeAlias('void')`
    with written as (
      insert into receipt (
        shop_id, purchase_order_id, location_id, notes, fingerprint, status_after, created_by, created_at, is_imported
      )
      select ${shopId}, n.order_id, n.location_id, '', decode(n.fingerprint, 'hex'), n.status, ${actor},
        ${instantOf(shopId, 'received')}, true
      from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as n (
        order_id bigint, location_id bigint, received text, status text, fingerprint text
      )
      order by n.order_id, n.received
      returning id, encode(fingerprint, 'hex') as fingerprint
    )
    insert into receipt_line (shop_id, receipt_id, purchase_order_line_id, quantity, is_stocked)
    select ${shopId}, w.id, given.line_id, given.quantity, false
    from written w
    join ${sql.unnest(received, ['text', 'int8', 'int4'])} as given (fingerprint, line_id, quantity)
      on given.fingerprint = w.fingerprint
  `)
}

/** Totals, and for an order that got further lines its status, from the lines. */
async function settleOrders(tx: Db, { shopId }: Terms, orders: readonly WrittenOrder[]): Promise<void> {
  const withLines = orders.filter(({ lines }) => lines.length > 0)
  if (withLines.length === 0) return
  await tx.query(sql.typeAlias('void')`
    update purchase_order o
    set subtotal = line.subtotal, tax = line.tax, line_item_count = line.count,
      status = case
        when given.is_new or o.status in ('draft', 'cancelled') then o.status
        when line.has_arrived and line.is_outstanding then 'partial'
        when line.has_arrived then 'received'
        else 'sent'
      end,
      version = o.version + case when given.is_new then 0 else 1 end,
      is_arrival_known = case
        when given.is_new then o.is_arrival_known
        when o.line_item_count = 0 then given.is_arrival_known
        else o.is_arrival_known and given.is_arrival_known
      end,
      received_at = case when line.has_arrived then (
        select max(r.created_at) from receipt r where r.shop_id = ${shopId} and r.purchase_order_id = o.id
      ) end
    from ${sql.unnest(
      withLines.map(({ id, isNew, each }) => [id, isNew, each.plan.isArrivalKnown]),
      ['int8', 'bool', 'bool'],
    )} as given (id, is_new, is_arrival_known)
    cross join lateral (
      select sum(l.line_total) as subtotal, sum(round(l.line_total * l.tax_rate / 100, l.minor_digits)) as tax, count(*) as count,
        bool_or(l.accepted > 0) as has_arrived, bool_or(l.quantity > l.accepted + l.cancelled) as is_outstanding
      from purchase_order_line l
      where l.shop_id = ${shopId} and l.purchase_order_id = given.id
    ) line
    where o.shop_id = ${shopId} and o.id = given.id
  `)
}

/** What a supplier was ordered from, it sells: products that no supplier product of it names are added. */
async function addSupplierProducts(tx: Db, shopId: number, orders: readonly WrittenOrder[]): Promise<Made[]> {
  const sold = new Map<string, [number, number, string]>()
  for (const { each, lines } of orders) {
    for (const { variant, supplierSku } of lines) {
      if (variant.isDeleted) continue
      const key = `${each.supplier.id} ${variant.id}`
      const known = sold.get(key)
      sold.set(key, [each.supplier.id, variant.id, supplierSku.slice(0, 200) || (known?.[2] ?? '')])
    }
  }
  if (sold.size === 0) return []
  const rows = await tx.any(sql.type(row(Type.Object({ id: Id })))`
    insert into supplier_product (shop_id, supplier_id, variant_id, supplier_sku, rank)
    select ${shopId}::bigint, given.supplier_id, given.variant_id, given.supplier_sku, least(99,
      row_number() over (partition by given.variant_id order by given.supplier_id) + coalesce((
        select max(x.rank) from supplier_product x where x.shop_id = ${shopId} and x.variant_id = given.variant_id
      ), 0))
    from ${sql.unnest([...sold.values()], ['int8', 'int8', 'text'])} as given (supplier_id, variant_id, supplier_sku)
    join supplier s on s.shop_id = ${shopId} and s.id = given.supplier_id and s.archived_at is null
    where not exists (
      select from supplier_product x
      where x.shop_id = ${shopId} and x.supplier_id = given.supplier_id and x.variant_id = given.variant_id
    )
    on conflict on constraint supplier_product_is_unique do nothing
    returning id
  `)
  return rows.map(({ id }) => ({ target: 'supplier_product', targetId: id, version: 1 }))
}
