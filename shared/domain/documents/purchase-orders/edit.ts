import { isDeepStrictEqual } from 'node:util'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound, unprocessable } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import type { PurchaseOrder, PurchaseOrderPatch } from '../../../schemas/purchase-orders.ts'
import { cleared } from '../../kit/patch.ts'
import { bookLateCosts } from '../../ledgers/costs/book.ts'
import { resolveVariants, variantTitle } from '../../records/catalogue/variants.ts'
import { followOrderRate } from './charges/charge-rate.ts'
import { requireWeights } from './charges/charge-rules.ts'
import { keepOrderRate, lockSupplierTerms, rateOf, readSupplierTerms, requireAmounts } from './currency.ts'
import { entersPrices } from './lines/agreed-prices.ts'
import { completeLines, type OpenLine, type OrderTerms } from './lines/complete-lines.ts'
import {
  ExistingLine,
  knownCost,
  type LineEntry,
  lineAssignments,
  lineNames,
  linesJson,
  type OrderLine,
  planLines,
  shownSku,
  shownTitle,
  subtotalOfLines,
  taxOfLines,
} from './lines/lines.ts'
import { checkOverdueOrders, followDueDates } from './overdue.ts'
import { getPurchaseOrder, resolveDestination, withExactTotal } from './purchase-orders.ts'
import { requireVersion } from './version.ts'

/** The aliases of the tables in the SQL of this file. */
const aliases = { order: 'o', line: 'l', variant: 'v', product: 'p' }

/**
 * Changes an order: every field of a draft; notes, references, cc, rate and the expected date of a sent or partial
 * order; the rate of a received one; costs of lines that have none, of a partial or received one; number, dates and payment of the invoice
 * in every state. `lineItems` is the full new list. Fields that repeat the order's are no change, so a patch of what a read answered is
 * accepted in every state and changes nothing. A new supplier's catalogue replaces supplier SKU, pack size and tax rate of lines that do
 * not give them; prices stay. Throws not_found, stale_version when `version` is not the current one, rate_in_use, conflict when the order's
 * state does not allow the change, and weight_missing.
 */
export function updatePurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  patch: PurchaseOrderPatch,
): Promise<PurchaseOrder> {
  return withExactTotal(() =>
    db.transaction(async (tx) => {
      await lockOrder(tx, shopId, id)
      const order = await getPurchaseOrder(tx, shopId, id)
      requireVersion(order, patch)
      const changes = changesOf(order, patch)
      const isUnchanged = Object.keys(changes).length === 0
      const hasFields = Object.keys(patch).some((name) => name !== 'version')
      if (!(isUnchanged && hasFields)) requireEditable(order, changes)
      if (isUnchanged) return order
      if (changes.rate === null) await requireNotBooked(tx, shopId, id)
      const terms = await termsOf(tx, shopId, order, changes)
      const { lines } = rewritesLines(changes, order)
        ? await planOrderLines(tx, shopId, id, terms, changes)
        : { lines: null }
      await change(tx, shopId, order, changes, { ...terms, lines })
      if (changes.lineItems && order.status === 'draft') await requireWeights(tx, shopId, id)
      await keepOrderRate(tx, shopId, terms, changes.rate)
      if (changes.rate !== undefined || changes.currency !== undefined) await followOrderRate(tx, shopId, id)
      const isLate = changes.rate !== undefined || changes.lineItems !== undefined
      if (isLate && order.status !== 'draft') await bookLateCosts(tx, shopId, id, actor)
      return getPurchaseOrder(tx, shopId, id)
    }),
  )
}

/**
 * Amounts of lines depend on their currency, and the order's tax on those of its lines and on its discount. An imported order may have
 * totals without lines: a discount alone keeps its subtotal.
 */
const rewritesLines = (
  { lineItems, supplierId, currency, tax, discount }: PurchaseOrderPatch,
  { lineItems: lines }: PurchaseOrder,
) =>
  [lineItems, supplierId, currency].some((field) => field !== undefined) ||
  (discount !== undefined && lines.length > 0) ||
  tax === null

type ChangedTerms = OrderTerms & { shopCurrency: string; isOtherSupplier: boolean }

/** Supplier, currency and tax rate as the order has them after the changes. Throws unknown_supplier, invalid_request. */
async function termsOf(
  tx: Db,
  shopId: number,
  order: PurchaseOrder,
  changes: PurchaseOrderPatch,
): Promise<ChangedTerms> {
  const isOtherSupplier = changes.supplierId !== undefined
  const supplierId = changes.supplierId ?? order.supplierId
  const read = isOtherSupplier ? lockSupplierTerms : readSupplierTerms
  const { shopCurrency, taxRate } = await read(tx, shopId, supplierId)
  const currency = changes.currency ?? order.currency
  const isOtherCurrency = changes.currency !== undefined
  requireAmounts(currency, shopCurrency, {
    tax: changes.tax === undefined && isOtherCurrency && order.isOwnTax ? order.tax : changes.tax,
    discount: changes.discount === undefined && isOtherCurrency ? order.discount : changes.discount,
    rate: changes.rate,
  })
  return { supplierId, currency, taxRate, shopCurrency, isOtherSupplier }
}

type Change = ChangedTerms & { lines: readonly OrderLine[] | null }

/** One statement changes tax and lines, because a constraint checks the total after each statement. */
async function change(
  tx: Db,
  shopId: number,
  order: PurchaseOrder,
  patch: PurchaseOrderPatch,
  { lines, currency, shopCurrency }: Change,
): Promise<void> {
  const { id } = order
  const destination = await resolveDestination(tx, shopId, patch.destinationLocationId)
  const isOwnTax = patch.tax === undefined ? order.isOwnTax : patch.tax !== null
  const ownTax = sql.fragment`coalesce(${patch.tax ?? null}::numeric, tax)`
  const discount = sql.fragment`coalesce(${patch.discount === null ? 0 : (patch.discount ?? null)}::numeric, discount)`
  const sums =
    lines &&
    sql.fragment`
    line_item_count = (select count(*) from line),
    subtotal = ${subtotalOfLines},
  `
  await tx.query(sql.typeAlias('void')`
    ${lines ? replacedLines(shopId, id, lines, currency) : sql.fragment``}
    update purchase_order
    set supplier_id = coalesce(${patch.supplierId ?? null}, supplier_id),
      notes = coalesce(${cleared(patch.notes)}, notes),
      supplier_notes = coalesce(${cleared(patch.supplierNotes)}, supplier_notes),
      reference = coalesce(${cleared(patch.reference)}, reference),
      supplier_reference = coalesce(${cleared(patch.supplierReference)}, supplier_reference),
      cc = coalesce(${patch.cc === undefined ? null : sql.array(patch.cc ?? [], 'text')}, cc),
      currency = coalesce(${patch.currency ?? null}, currency),
      rate = case
        when ${patch.currency !== undefined} then ${rateOf(shopId, currency, shopCurrency, patch.rate ?? null)}
        when ${patch.rate !== undefined} then ${currency === shopCurrency ? null : (patch.rate ?? null)}::numeric
        else rate
      end,
      expected_at = case
        when ${patch.expectedAt !== undefined} then ${patch.expectedAt ?? null}::timestamptz
        else expected_at
      end,
      destination_location_id = case
        when ${patch.destinationLocationId !== undefined} then ${destination}::bigint
        else destination_location_id
      end,
      discount = ${discount},
      is_own_tax = ${isOwnTax},
      tax = ${lines && !isOwnTax ? taxOfLines(discount) : ownTax},
      ${sums ?? sql.fragment``}
      invoice_number = coalesce(${cleared(patch.invoiceNumber)}, invoice_number),
      ${when('invoice_date', 'date', patch.invoiceDate)}
      ${when('payment_due_on', 'date', patch.paymentDueOn)}
      ${when('paid_at', 'timestamptz', patch.paidAt)}
      updated_at = now(),
      version = version + 1
    where shop_id = ${shopId} and id = ${id}
  `)
  if (patch.expectedAt !== undefined || patch.supplierId !== undefined) {
    await followDueDates(tx, shopId, sql.fragment`o.id = ${id}`)
  }
  if (patch.expectedAt !== undefined && order.status !== 'draft') {
    await checkOverdueOrders(tx, shopId, { purchaseOrderId: id })
    await enqueue(tx, jobs.recomputePlanning, { shopId, purchaseOrderId: id })
  }
}

/** SQL: sets a column that a patch has; null clears it. */
const when = (column: string, type: string, value: string | null | undefined) =>
  value === undefined
    ? sql.fragment``
    : sql.fragment`${sql.identifier([column])} = ${value}::${sql.identifier([type])},`

export async function lockOrder(tx: Db, shopId: number, id: number): Promise<void> {
  const order = await tx.maybeOne(sql.typeAlias('id')`
    select id from purchase_order where shop_id = ${shopId} and id = ${id} for update
  `)
  if (!order) throw notFound('Purchase order')
}

/**
 * The fields of a patch that differ from the order. An order keeps a supplier that was archived, and a destination out
 * of use, when a patch repeats them.
 */
function changesOf(
  order: PurchaseOrder,
  { version: _version, ...patch }: PurchaseOrderPatch,
): PurchaseOrderPatch {
  const isRepeated: Record<keyof typeof patch, boolean> = {
    supplierId: patch.supplierId === order.supplierId,
    notes: (patch.notes ?? '') === order.notes,
    supplierNotes: (patch.supplierNotes ?? '') === order.supplierNotes,
    expectedAt: instantOf(patch.expectedAt) === instantOf(order.expectedAt),
    destinationLocationId: (patch.destinationLocationId ?? null) === order.destinationLocationId,
    tax: patch.tax === null ? !order.isOwnTax : patch.tax === order.tax,
    currency: patch.currency === order.currency,
    rate: (patch.rate ?? null) === order.rate,
    discount: (patch.discount ?? 0) === order.discount,
    reference: (patch.reference ?? '') === order.reference,
    supplierReference: (patch.supplierReference ?? '') === order.supplierReference,
    cc: isDeepStrictEqual(patch.cc ?? [], order.cc),
    invoiceNumber: (patch.invoiceNumber ?? '') === order.invoiceNumber,
    invoiceDate: (patch.invoiceDate ?? null) === order.invoiceDate,
    paymentDueOn: (patch.paymentDueOn ?? null) === order.paymentDueOn,
    paidAt: instantOf(patch.paidAt) === instantOf(order.paidAt),
    lineItems: patch.lineItems !== undefined && isSameList(order.lineItems, patch.lineItems),
  }
  const entries = Object.entries(patch) as [keyof typeof patch, unknown][]
  return Object.fromEntries(entries.filter(([name, value]) => value !== undefined && !isRepeated[name]))
}

const instantOf = (text: string | null | undefined) => (text ? Date.parse(text) : null)

/** The same lines in the same order, by their ids, and each field of an entry is that of its line. */
const isSameList = (
  lines: PurchaseOrder['lineItems'],
  entries: NonNullable<PurchaseOrderPatch['lineItems']>,
): boolean =>
  lines.length === entries.length &&
  entries.every((entry, at) => {
    const line: Record<string, unknown> = { ...lines[at] }
    return entry.id === line.id && Object.entries(entry).every(([name, value]) => value === line[name])
  })

const afterSending = new Set([
  'notes',
  'supplierNotes',
  'expectedAt',
  'reference',
  'supplierReference',
  'cc',
  'rate',
])

/** The invoice comes after the goods, so its fields are open in every state. */
const ofInvoice = new Set(['invoiceNumber', 'invoiceDate', 'paymentDueOn', 'paidAt'])

/** Goods that were booked at a rate keep their costs, so the rate may change and not go. Throws rate_in_use. */
async function requireNotBooked(tx: Db, shopId: number, id: number): Promise<void> {
  const isBooked = await tx.exists(sql.typeAlias('void')`
    select
    from receipt r
    join cost_movement m on m.shop_id = ${shopId} and m.receipt_id = r.id
    where r.shop_id = ${shopId} and r.purchase_order_id = ${id} and r.reversed_at is null
  `)
  if (!isBooked) return
  const message = 'cannot be removed, since goods have costs at this rate: enter another rate'
  throw unprocessable('rate_in_use', 'Goods of this order have costs at its rate. Enter another rate.', [
    { path: '/rate', message },
  ])
}

/** Rate and prices that were not known may still be entered after the goods have arrived, since their costs need them. */
function requireEditable(order: PurchaseOrder, patch: PurchaseOrderPatch): void {
  const { status } = order
  const given = Object.keys(patch)
  const isPriced = (status === 'partial' || status === 'received') && entersPrices(order, patch.lineItems)
  const names = given.filter((name) => !ofInvoice.has(name) && !(isPriced && name === 'lineItems'))
  if (given.length > 0 && names.length === 0) return
  if (status === 'received' && names.length > 0 && names.every((name) => name === 'rate')) return
  if (status === 'received' || status === 'cancelled')
    throw conflict(`This order is ${status} and cannot change. Duplicate it instead.`)
  if (status !== 'draft' && names.some((name) => !afterSending.has(name))) {
    throw conflict(
      'Once an order is sent, only its notes, references, cc, rate and expected date can change. Revise it to change its lines.',
    )
  }
}

/** The lines of an order as it shows them, in their order. */
export function readLines(tx: Db, shopId: number, id: number): Promise<readonly ExistingLine[]> {
  return tx.any(sql.type(row(ExistingLine))`
    select l.id, p.gid as product_id, v.gid as variant_id, v.id as variant_row_id, ${shownSku(aliases)} as sku,
      ${shownTitle(aliases)} as title, l.is_own_sku, l.is_own_title, v.sku as catalogue_sku,
      ${variantTitle('v', 'p')} as catalogue_title, l.quantity, ${knownCost('l')} as cost_price,
      l.supplier_sku, l.pack_size, l.discount_percent, l.tax_rate, l.rounded_up_by
    from purchase_order_line l
    join purchase_order o on o.shop_id = ${shopId} and o.id = l.purchase_order_id
    join variant v on v.shop_id = ${shopId} and v.id = l.variant_id
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id}
    order by l.position
  `)
}

/**
 * The full new list of the lines, complete. Without `lineItems`, the lines
 * stay, with the terms of another supplier where the supplier changes. `existing` are the lines before.
 */
export async function planOrderLines(
  tx: Db,
  shopId: number,
  id: number,
  { isOtherSupplier, ...terms }: OrderTerms & { isOtherSupplier: boolean },
  { lineItems }: { lineItems?: readonly LineEntry[] | undefined },
): Promise<{ lines: OrderLine[]; existing: readonly ExistingLine[] }> {
  const existing = await readLines(tx, shopId, id)
  const entries = lineItems ?? existing.map((line) => ({ id: line.id }))
  const planned = planLines(existing, entries, { isOtherSupplier })
  const references = planned.flatMap(({ variant }, index) => ('rowId' in variant ? [] : [{ variant, index }]))
  const resolved = await resolveVariants(
    tx,
    shopId,
    references.map(({ variant }) => variant),
    (at) => `/lineItems/${references[at]?.index}`,
  )
  const resolvedByIndex = new Map(references.map(({ index }, at) => [index, resolved[at]]))
  const open = planned.flatMap((line, index): OpenLine[] => {
    const variant = 'rowId' in line.variant ? line.variant : resolvedByIndex.get(index)
    return variant ? [{ ...line, variant }] : []
  })
  const { lines } = await completeLines(tx, shopId, terms, open)
  return { lines, existing }
}

/** CTEs that remove, change and add lines. The rest of the statement can read the new lines from `line`. */
export function replacedLines(shopId: number, id: number, lines: readonly OrderLine[], currency: string) {
  return sql.fragment`
    with line as materialized (select * from order_lines(${linesJson(lines, currency)})),
    removed as (
      delete from purchase_order_line
      where shop_id = ${shopId} and purchase_order_id = ${id}
        and id not in (select id from line where id is not null)
    ),
    changed as (
      update purchase_order_line l
      set ${lineAssignments},
        -- a line that gets another product forgets the weight that it had at the first receipt
        weight_grams = case when l.variant_id = line.variant_id then l.weight_grams end
      from line
      where l.shop_id = ${shopId} and l.purchase_order_id = ${id} and l.id = line.id
    ),
    added as (
      insert into purchase_order_line (shop_id, purchase_order_id, ${lineNames})
      select ${shopId}, ${id}, ${lineNames}
      from line
      where id is null
    )
  `
}
