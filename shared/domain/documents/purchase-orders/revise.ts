import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest, conflict, type Fault, unprocessable } from '../../../errors.ts'
import type { PageQuery } from '../../../schemas/common.ts'
import {
  type PurchaseOrder,
  PurchaseOrderRevision,
  type PurchaseOrderRevisionInput,
  type RevisionChange,
} from '../../../schemas/purchase-orders.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { bookLateCosts } from '../../ledgers/costs/book.ts'
import { requireWeights } from './charges/charge-rules.ts'
import { readSupplierTerms } from './currency.ts'
import { lockOrder, planOrderLines, replacedLines } from './edit.ts'
import { readCountedLines, requireKeptLines, requireSameVariants } from './lines/counted-lines.ts'
import { type ExistingLine, type OrderLine, subtotalOfLines, taxOfLines } from './lines/lines.ts'
import { queueMail } from './mail/mail.ts'
import { getPurchaseOrder, withExactTotal } from './purchase-orders.ts'
import { requireOrder, settleOrder } from './settle.ts'
import { requireVersion } from './version.ts'

/** The discount of a sent order stays, so a revision may lower the lines down to it. */
const belowDiscount = {
  message:
    'The lines are worth less than the discount of the order, which cannot change after sending. Keep lines worth at least the discount, or close the order and create a new one.',
  fault: { path: '/lineItems', message: 'must be worth at least the discount of the order' },
}

/**
 * Changes the lines of a sent or partial order: `lineItems` is the full new list, as in an update. Stores the difference
 * as the next revision, computes the status again, and queues one mail with it. A typed tax stays. Throws not_found,
 * conflict when the order's state does not allow it or a mail is still being sent, stale_version, below_received when a
 * quantity is below what was accepted, line_has_receipts when a line with receipts is removed or gets another variant, line_in_draft
 * when a draft of a receipt counts the line, no_change, discount_too_large, and the errors of an update.
 */
export function revisePurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  actor: string,
  { lineItems, version, reason }: PurchaseOrderRevisionInput,
): Promise<PurchaseOrder> {
  return withExactTotal(
    () =>
      db.transaction(async (tx) => {
        await lockOrder(tx, shopId, id)
        const order = await getPurchaseOrder(tx, shopId, id)
        requireVersion(order, { version })
        requireSent(order)
        const { supplierId, currency, isOwnTax } = order
        const { taxRate } = await readSupplierTerms(tx, shopId, supplierId)
        const terms = { supplierId, currency, taxRate, isOtherSupplier: false }
        const { lines, existing } = await planOrderLines(tx, shopId, id, terms, { lineItems })
        requireComplete(existing, lines)
        const counted = await readCountedLines(tx, shopId, id)
        requireNotBelowReceived(order, lines)
        requireKeptLines(order, lines, counted)
        requireSameVariants(existing, lines, counted)
        await tx.query(sql.typeAlias('void')`
          ${replacedLines(shopId, id, lines, currency)}
          update purchase_order
          set line_item_count = (select count(*) from line), subtotal = ${subtotalOfLines},
            tax = ${isOwnTax ? sql.fragment`tax` : taxOfLines(sql.fragment`discount`)}, revision = revision + 1
          where shop_id = ${shopId} and id = ${id}
        `)
        await requireWeights(tx, shopId, id)
        await finishLines(tx, shopId, id, existing)
        await settleOrder(
          tx,
          shopId,
          id,
          sql.fragment`select received_at from purchase_order where shop_id = ${shopId} and id = ${id}`,
        )
        if (counted.some(({ isReceived }) => isReceived)) await bookLateCosts(tx, shopId, id, actor)
        const revised = await getPurchaseOrder(tx, shopId, id)
        await storeRevision(tx, shopId, revised, actor, {
          changes: changesOf(order, revised),
          reason: reason ?? '',
        })
        await queueMail(tx, shopId, id, actor, { kind: 'revision' })
        return getPurchaseOrder(tx, shopId, id)
      }),
    belowDiscount,
  )
}

const refusals: Partial<Record<PurchaseOrder['status'], string>> = {
  draft: 'This order is a draft. Edit it instead.',
  received: 'This order has been received. Create a new one for further goods.',
  cancelled: 'This order is cancelled. Duplicate it instead.',
}

function requireSent({ status }: PurchaseOrder): void {
  const refusal = refusals[status]
  if (refusal) throw conflict(refusal)
}

/** The PDF may have said "to be agreed" for a cost; a cost that a revision removes is an error. */
function requireComplete(existing: readonly ExistingLine[], lines: readonly OrderLine[]): void {
  const toBeAgreed = new Set(existing.flatMap(({ id, costPrice }) => (costPrice === null ? [id] : [])))
  const faultsOf = (field: string, message: string, isFaulty: (line: OrderLine) => boolean): Fault[] =>
    lines.flatMap((line, at) => (isFaulty(line) ? [{ path: `/lineItems/${at}/${field}`, message }] : []))
  const empty = faultsOf('quantity', 'must be at least 1', ({ quantity }) => quantity === 0)
  if (empty.length > 0) throw badRequest(empty)
  const isNew = ({ id, costPrice }: OrderLine) => costPrice === null && !toBeAgreed.has(id ?? 0)
  const unknown = faultsOf('costPrice', 'is required: no cost is known', isNew)
  if (unknown.length === 0) return
  throw unprocessable('unknown_cost', 'No cost is known for some lines. Enter their costs.', unknown)
}

/** A line that got more than was ordered may stay as it is. */
function requireNotBelowReceived(order: PurchaseOrder, lines: readonly OrderLine[]): void {
  const before = new Map(order.lineItems.map((line) => [line.id, line]))
  const faults = lines.flatMap(({ id, quantity }, index): Fault[] => {
    const line = id === null ? undefined : before.get(id)
    const taken = line ? line.receivedQuantity + line.creditedQuantity : 0
    if (!line || quantity === line.quantity || quantity >= taken) return []
    const message =
      line.creditedQuantity > 0
        ? `must be at least ${taken}, the quantity that was received or credited`
        : `must be at least ${taken}, the quantity that was received`
    return [{ path: `/lineItems/${index}/quantity`, message }]
  })
  if (faults.length > 0) {
    throw unprocessable('below_received', 'Some quantities are below what was received. Raise them.', faults)
  }
}

/**
 * New lines, and those of another variant, keep their words from now on; of a lowered line, no more pieces are cancelled than did not
 * arrive, but at least the credited ones.
 */
async function finishLines(
  tx: Db,
  shopId: number,
  id: number,
  before: readonly ExistingLine[],
): Promise<void> {
  const earlier = before.map((line) => [line.id, line.variantRowId])
  await tx.query(sql.typeAlias('void')`
    update purchase_order_line l
    set barcode = case
        when (l.id, l.variant_id) in (select * from ${sql.unnest(earlier, ['int8', 'int8'])} as earlier) then l.barcode
        else v.barcode
      end,
      cancelled = greatest(l.credited, least(l.cancelled, l.quantity - l.accepted))
    from variant v
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id} and v.shop_id = ${shopId} and v.id = l.variant_id
  `)
}

const figureNames = ['quantity', 'costPrice', 'packSize', 'discountPercent', 'taxRate'] as const

/** What differs between two states of an order's lines. Throws no_change when nothing does. */
function changesOf(before: PurchaseOrder, after: PurchaseOrder): RevisionChange[] {
  const figures = (line: PurchaseOrder['lineItems'][number] | undefined) =>
    line
      ? {
          quantity: line.quantity,
          costPrice: line.costPrice,
          packSize: line.packSize,
          discountPercent: line.discountPercent,
          taxRate: line.taxRate,
        }
      : null
  const was = new Map(before.lineItems.map((line) => [line.id, line]))
  const is = new Map(after.lineItems.map((line) => [line.id, line]))
  const all = [...after.lineItems, ...before.lineItems.filter(({ id }) => !is.has(id))]
  const changes = all.flatMap(({ id: lineItemId, sku, supplierSku, title }): RevisionChange[] => {
    const [old, now] = [was.get(lineItemId), is.get(lineItemId)]
    const words = ['sku', 'title', 'supplierSku', 'variantId'] as const
    const isSame = old && now && [...figureNames, ...words].every((name) => old[name] === now[name])
    if (isSame) return []
    return [{ lineItemId, sku, supplierSku, title, before: figures(old), after: figures(now) }]
  })
  if (changes.length > 0) return changes
  throw unprocessable('no_change', 'The lines are the same as before, so there is nothing to revise.')
}

async function storeRevision(
  tx: Db,
  shopId: number,
  { id, revision }: PurchaseOrder,
  actor: string,
  { changes, reason }: { changes: readonly RevisionChange[]; reason: string },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into purchase_order_revision (shop_id, purchase_order_id, revision, changes, reason, created_by)
    values (${shopId}, ${id}, ${revision}, ${JSON.stringify(changes)}::jsonb, ${reason}, ${actor})
  `)
}

/** The revisions of an order, newest first. Throws not_found. */
export async function listRevisions(
  db: Db,
  shopId: number,
  purchaseOrderId: number,
  query: PageQuery,
): Promise<Page<PurchaseOrderRevision>> {
  const records = await db.any(sql.type(row(PurchaseOrderRevision))`
    select revision as id, reason, created_by, created_at, changes
    from purchase_order_revision
    where ${sql.and([
      sql.fragment`shop_id = ${shopId}`,
      sql.fragment`purchase_order_id = ${purchaseOrderId}`,
      query.cursor !== undefined && sql.fragment`revision < ${query.cursor}`,
    ])}
    order by revision desc
    limit ${pageSize(query) + 1}
  `)
  if (records.length === 0) await requireOrder(db, shopId, purchaseOrderId)
  return toPage(records, query)
}
