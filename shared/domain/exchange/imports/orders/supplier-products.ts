import type { Db } from '../../../../db/db.ts'
import { addOrderedProducts } from '../../../records/suppliers/imported/products.ts'
import type { Made } from '../outcomes.ts'
import type { WrittenOrder } from './written.ts'

/** Adds a product of the supplier for each variant that was ordered from it. */
export async function addSupplierProducts(
  tx: Db,
  shopId: number,
  orders: readonly WrittenOrder[],
): Promise<Made[]> {
  const sold = new Map<string, { supplierId: number; variantId: number; supplierSku: string }>()
  for (const { each, lines } of orders) {
    for (const { variant, supplierSku } of lines) {
      if (variant.isDeleted) continue
      const key = `${each.supplier.id} ${variant.id}`
      const known = sold.get(key)?.supplierSku ?? ''
      const own = supplierSku.slice(0, 200) || known
      sold.set(key, { supplierId: each.supplier.id, variantId: variant.id, supplierSku: own })
    }
  }
  if (sold.size === 0) return []
  const ids = await addOrderedProducts(tx, shopId, [...sold.values()])
  return ids.map((id) => ({ target: 'supplier_product', targetId: id, version: 1 }))
}
