import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest, type Fault, unprocessable } from '../../../errors.ts'
import { Id, Nullable } from '../../../schemas/common.ts'
import { maxOrderLines } from '../../../schemas/purchase-orders.ts'
import type { ReorderDraft } from '../../../schemas/reorder-suggestions.ts'
import type { ReplenishmentOrders, ReplenishmentOrdersInput } from '../../../schemas/replenishment.ts'
import { createPurchaseOrder } from '../../documents/purchase-orders/purchase-orders.ts'
import { resolveLevelKeys } from '../../ledgers/stock/resolve.ts'
import { readLineTerms } from '../../records/supplier-prices/price-of-line.ts'
import { requireSuppliers } from '../../records/suppliers/suppliers.ts'

type Item = ReplenishmentOrdersInput['items'][number]

const KnownVariant = Type.Object({ rowId: Id, variantId: Type.String(), productId: Type.String() })
const KnownLocation = Type.Object({ id: Type.String(), name: Nullable(Type.String()) })

/**
 * Makes drafts of chosen suggestions with the quantities of the buyer: one per supplier and destination, and further ones
 * above 500 lines. All or none. A line without a cost gets the supplier's price, or no cost when none is known. Throws
 * duplicate_item, unknown_variant, unknown_supplier, unknown_location and the errors of `createPurchaseOrder`.
 */
export function createReplenishmentOrders(
  db: Db,
  shopId: number,
  actor: string,
  { items }: ReplenishmentOrdersInput,
): Promise<ReplenishmentOrders> {
  return db.transaction(async (tx) => {
    requireDistinct(items)
    requireRounding(items)
    const suppliers = await requireSuppliers(
      tx,
      shopId,
      items.map(({ supplierId }, at) => ({ id: supplierId, path: `/items/${at}/supplierId` })),
    )
    const variants = await readVariants(tx, shopId, items)
    const locations = await readLocations(tx, shopId, items)
    const lines = await completeItems(tx, shopId, items, { suppliers, variants })
    const groups = Map.groupBy(lines, ({ item }) => `${item.supplierId} ${item.destinationLocationId ?? ''}`)
    const purchaseOrders: ReorderDraft[] = []
    for (const group of groups.values()) {
      for (let at = 0; at < group.length; at += maxOrderLines) {
        const part = group.slice(at, at + maxOrderLines)
        const [first] = part
        if (!first) continue
        const { supplierId, destinationLocationId = null } = first.item
        const created = await createPurchaseOrder(tx, shopId, actor, {
          ...{ supplierId, destinationLocationId },
          lineItems: part.map(({ line }) => line),
        })
        purchaseOrders.push({
          id: created.id,
          poNumber: created.poNumber,
          supplierId,
          supplierName: first.supplierName,
          destinationLocationName: locations.get(destinationLocationId ?? '') ?? null,
          total: created.total,
          lineItemCount: part.length,
          currency: created.currency,
          unknownCosts: part.filter(({ isCostKnown }) => !isCostKnown).length,
        })
      }
    }
    return { purchaseOrders }
  })
}

function requireDistinct(items: readonly Item[]): void {
  const seen = new Set<string>()
  const details: Fault[] = items.flatMap(({ variantId, supplierId, destinationLocationId }, at) => {
    const key = `${variantId} ${supplierId} ${destinationLocationId ?? ''}`
    if (seen.has(key)) {
      return [{ path: `/items/${at}/variantId`, message: 'is used twice for this supplier and destination' }]
    }
    seen.add(key)
    return []
  })
  if (details.length > 0)
    throw unprocessable('duplicate_item', 'A product is in the list twice. Remove one of them.', details)
}

/** Throws invalid_request when rounding added the whole quantity: a suggestion has at least one wanted piece. */
function requireRounding(items: readonly Item[]): void {
  const faults: Fault[] = items.flatMap(({ roundedUpBy = 0, quantity }, at) =>
    roundedUpBy < quantity
      ? []
      : [{ path: `/items/${at}/roundedUpBy`, message: 'must be less than the quantity' }],
  )
  if (faults.length > 0) throw badRequest(faults)
}

async function readVariants(tx: Db, shopId: number, items: readonly Item[]) {
  const gids = [...new Set(items.map(({ variantId }) => variantId))]
  const known = await tx.any(sql.type(row(KnownVariant))`
    select v.id as row_id, v.gid as variant_id, p.gid as product_id
    from variant v
    join product p on p.shop_id = ${shopId} and p.id = v.product_id
    where v.shop_id = ${shopId} and v.gid = any(${sql.array(gids, 'text')}) and v.deleted_at is null
  `)
  const variants = new Map(known.map((variant) => [variant.variantId, variant]))
  const details = items.flatMap(({ variantId }, at) =>
    variants.has(variantId)
      ? []
      : [{ path: `/items/${at}/variantId`, message: 'is not a product variant of this shop' }],
  )
  if (details.length === 0) return variants
  throw unprocessable('unknown_variant', 'A product no longer exists. Reload the page.', details)
}

/** The names of the destinations, by id. */
async function readLocations(tx: Db, shopId: number, items: readonly Item[]) {
  const given = items.flatMap(({ destinationLocationId }, at) =>
    destinationLocationId ? [{ id: destinationLocationId, path: `/items/${at}/destinationLocationId` }] : [],
  )
  if (given.length === 0) return new Map<string, string | null>()
  const { locations } = await resolveLevelKeys(tx, shopId, { locations: given })
  const known = await tx.any(sql.type(row(KnownLocation))`
    select gid as id, name from location where shop_id = ${shopId} and id = any(${sql.array([...locations], 'int8')})
  `)
  return new Map(known.map(({ id, name }) => [id, name]))
}

type Known = {
  suppliers: ReadonlyMap<number, { name: string; currency: string }>
  variants: ReadonlyMap<string, { rowId: number; productId: string }>
}

async function completeItems(tx: Db, shopId: number, items: readonly Item[], { suppliers, variants }: Known) {
  const known = items.flatMap((item) => {
    const supplier = suppliers.get(item.supplierId)
    const variant = variants.get(item.variantId)
    return supplier && variant ? [{ item, supplier, variant }] : []
  })
  const terms = await readLineTerms(
    tx,
    shopId,
    known.map(
      ({ item: { supplierId, quantity, costPrice }, supplier: { currency }, variant: { rowId } }) => ({
        ...{ variantRowId: rowId, supplierId, quantity, currency },
        hasCost: costPrice !== undefined,
      }),
    ),
  )
  return known.map(({ item, supplier, variant: { productId } }, at) => {
    const { price = null, supplierSku = '', packSize = 1 } = terms[at] ?? {}
    const cost = item.costPrice ?? price
    const { variantId, quantity, roundedUpBy = 0 } = item
    return {
      item,
      supplierName: supplier.name,
      isCostKnown: cost !== null,
      line: { productId, variantId, quantity, costPrice: cost, supplierSku, packSize, roundedUpBy },
    }
  })
}
