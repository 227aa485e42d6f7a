import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../db/db.ts'
import { conflict, notFound } from '../../errors.ts'
import { PurchaseOrder, type PurchaseOrderPatch } from '../../schemas/purchase-orders.ts'
import { resolveVariants } from '../catalogue/variants.ts'
import { cleared } from '../patch.ts'
import { requireSuppliers } from '../suppliers/suppliers.ts'
import { ExistingLine, type OrderLine, orderLines, planLines } from './lines.ts'
import { checkOverdueOrders } from './overdue.ts'
import { getPurchaseOrder, resolveDestination, withExactTotal } from './purchase-orders.ts'

const EditedOrder = Type.Pick(PurchaseOrder, ['status', 'version', 'supplierId'])
type EditedOrder = Static<typeof EditedOrder>

/**
 * Changes an order: every field of a draft, but only notes, notes for the supplier and the expected date of a sent or
 * partial order. `lineItems` is the full new list. An empty patch changes nothing. Throws not_found, stale_version when
 * `version` is not the current one, and conflict when the order's state does not allow the change.
 */
export function updatePurchaseOrder(
  db: Db,
  shopId: number,
  id: number,
  patch: PurchaseOrderPatch,
): Promise<PurchaseOrder> {
  return withExactTotal(() =>
    db.transaction(async (tx) => {
      const order = await lockOrder(tx, shopId, id)
      requireEditable(order, patch)
      if (Object.keys(patch).some((name) => name !== 'version')) await change(tx, shopId, id, order, patch)
      return getPurchaseOrder(tx, shopId, id)
    }),
  )
}

/** One statement changes tax and lines, because a constraint checks the total after each statement. */
async function change(
  tx: Db,
  shopId: number,
  id: number,
  order: EditedOrder,
  patch: PurchaseOrderPatch,
): Promise<void> {
  // An order may keep its supplier after that was archived.
  if (patch.supplierId !== undefined && patch.supplierId !== order.supplierId) {
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

async function lockOrder(tx: Db, shopId: number, id: number): Promise<EditedOrder> {
  const order = await tx.maybeOne(sql.type(row(EditedOrder))`
    select status, version, supplier_id from purchase_order where shop_id = ${shopId} and id = ${id} for update
  `)
  if (!order) throw notFound('Purchase order')
  return order
}

function requireEditable({ status, version }: EditedOrder, patch: PurchaseOrderPatch): void {
  if (patch.version !== undefined && patch.version !== version) {
    throw conflict('This order has changed in the meantime. Reload it before you save.', 'stale_version')
  }
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
    select l.id, p.gid as product_id, v.gid as variant_id, v.id as variant_row_id, l.sku, l.title, l.quantity,
      l.cost_price
    from purchase_order_line l
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
        quantity = line.quantity, cost_price = line.cost_price
      from line
      where l.shop_id = ${shopId} and l.purchase_order_id = ${id} and l.id = line.id
    ),
    added as (
      insert into purchase_order_line (
        shop_id, purchase_order_id, position, variant_id, sku, title, quantity, cost_price
      )
      select ${shopId}, ${id}, position, variant_id, sku, title, quantity, cost_price
      from line
      where id is null
    )
  `
}

const sumOfLines = sql.fragment`
  line_item_count = (select count(*) from line),
  subtotal = (select coalesce(sum(round(quantity * cost_price, 2)), 0) from line),
`
