import { type Db, row, sql } from '../../db/db.ts'
import { conflict, notFound } from '../../errors.ts'
import type { PurchaseOrder, PurchaseOrderPatch } from '../../schemas/purchase-orders.ts'
import { resolveVariants, variantTitle } from '../catalogue/variants.ts'
import { cleared } from '../patch.ts'
import { requireSuppliers } from '../suppliers/suppliers.ts'
import { ExistingLine, type OrderLine, orderLines, planLines, shownSku, shownTitle } from './lines.ts'
import { checkOverdueOrders } from './overdue.ts'
import { getPurchaseOrder, resolveDestination, withExactTotal } from './purchase-orders.ts'

/**
 * Changes an order: every field of a draft, but only notes, notes for the supplier and the expected date of a sent or
 * partial order. `lineItems` is the full new list. Fields that repeat the order's are no change, so a patch of what a
 * read answered is accepted in every state and changes nothing. Throws not_found, stale_version when `version` is not
 * the current one, and conflict when the order's state does not allow the change.
 */
export function updatePurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
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
      await change(tx, shopId, id, order, changes)
      return getPurchaseOrder(tx, shopId, id)
    }),
  )
}

/** One statement changes tax and lines, because a constraint checks the total after each statement. */
async function change(
  tx: Db,
  shopId: number,
  id: number,
  order: PurchaseOrder,
  patch: PurchaseOrderPatch,
): Promise<void> {
  if (patch.supplierId !== undefined) {
    await requireSuppliers(tx, shopId, [{ id: patch.supplierId, path: '/supplierId' }])
  }
  const destination = await resolveDestination(tx, shopId, patch.destinationLocationId)
  const lines = patch.lineItems && (await newLines(tx, shopId, id, patch.lineItems))
  await tx.query(sql.typeAlias('void')`
    ${lines ? replacedLines(shopId, id, lines) : sql.fragment``}
    update purchase_order
    set supplier_id = coalesce(${patch.supplierId ?? null}, supplier_id),
      notes = coalesce(${cleared(patch.notes)}, notes),
      supplier_notes = coalesce(${cleared(patch.supplierNotes)}, supplier_notes),
      expected_at = case
        when ${patch.expectedAt !== undefined} then ${patch.expectedAt ?? null}::timestamptz
        else expected_at
      end,
      destination_location_id = case
        when ${patch.destinationLocationId !== undefined} then ${destination}::bigint
        else destination_location_id
      end,
      tax = coalesce(${patch.tax === null ? 0 : (patch.tax ?? null)}, tax),
      ${lines ? sumOfLines : sql.fragment``}
      updated_at = now(),
      version = version + 1
    where shop_id = ${shopId} and id = ${id}
  `)
  if (patch.expectedAt !== undefined && order.status !== 'draft') {
    await checkOverdueOrders(tx, shopId, { purchaseOrderId: id })
  }
}

async function lockOrder(tx: Db, shopId: number, id: number): Promise<void> {
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
    tax: (patch.tax ?? 0) === order.tax,
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

function requireVersion({ version }: PurchaseOrder, patch: PurchaseOrderPatch): void {
  if (patch.version === undefined || patch.version === version) return
  throw conflict('This order has changed in the meantime. Reload it before you save.', 'stale_version')
}

function requireEditable({ status }: PurchaseOrder, patch: PurchaseOrderPatch): void {
  if (status === 'received' || status === 'cancelled') throw conflict(`A ${status} order cannot be changed.`)
  const ofDraftOnly = [patch.supplierId, patch.tax, patch.destinationLocationId, patch.lineItems]
  if (status !== 'draft' && ofDraftOnly.some((field) => field !== undefined)) {
    throw conflict(
      'Once an order is sent, only its notes, notes for the supplier and expected date can change.',
    )
  }
}

async function newLines(
  tx: Db,
  shopId: number,
  id: number,
  entries: NonNullable<PurchaseOrderPatch['lineItems']>,
): Promise<OrderLine[]> {
  const existing = await tx.any(sql.type(row(ExistingLine))`
    select l.id, p.gid as product_id, v.gid as variant_id, v.id as variant_row_id, ${shownSku} as sku,
      ${shownTitle} as title, l.is_own_sku, l.is_own_title, v.sku as catalogue_sku,
      ${variantTitle('v', 'p')} as catalogue_title, l.quantity, l.cost_price
    from purchase_order_line l
    join purchase_order o on o.shop_id = l.shop_id and o.id = l.purchase_order_id
    join variant v on v.shop_id = l.shop_id and v.id = l.variant_id
    join product p on p.shop_id = v.shop_id and p.id = v.product_id
    where l.shop_id = ${shopId} and l.purchase_order_id = ${id}
    order by l.position
  `)
  const planned = planLines(existing, entries)
  const references = planned.flatMap(({ variant }, index) => ('rowId' in variant ? [] : [{ variant, index }]))
  const resolved = await resolveVariants(
    tx,
    shopId,
    references.map(({ variant }) => variant),
    (at) => `/lineItems/${references[at]?.index}`,
  )
  const resolvedByIndex = new Map(references.map(({ index }, at) => [index, resolved[at]]))
  return planned.flatMap((line, index) => {
    const variant = 'rowId' in line.variant ? line.variant : resolvedByIndex.get(index)
    return variant ? [{ ...line, variant }] : []
  })
}

/** CTEs that remove, change and add lines. The rest of the statement can read the new lines from `line`. */
function replacedLines(shopId: number, id: number, lines: readonly OrderLine[]) {
  return sql.fragment`
    with line as (${orderLines(lines)}),
    removed as (
      delete from purchase_order_line
      where shop_id = ${shopId} and purchase_order_id = ${id}
        and id not in (select id from line where id is not null)
    ),
    changed as (
      update purchase_order_line l
      set position = line.position, variant_id = line.variant_id, sku = line.sku, title = line.title,
        is_own_sku = line.is_own_sku, is_own_title = line.is_own_title, quantity = line.quantity,
        cost_price = line.cost_price
      from line
      where l.shop_id = ${shopId} and l.purchase_order_id = ${id} and l.id = line.id
    ),
    added as (
      insert into purchase_order_line (
        shop_id, purchase_order_id, position, variant_id, sku, title, is_own_sku, is_own_title, quantity, cost_price
      )
      select ${shopId}, ${id}, position, variant_id, sku, title, is_own_sku, is_own_title, quantity, cost_price
      from line
      where id is null
    )
  `
}

const sumOfLines = sql.fragment`
  line_item_count = (select count(*) from line),
  subtotal = (select coalesce(sum(round(quantity * cost_price, 2)), 0) from line),
`
