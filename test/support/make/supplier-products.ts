import type {
  SupplierProduct,
  SupplierProductInput,
  SupplierProductRow,
} from '../../../shared/schemas/supplier-products.ts'
import type { Person } from '../core/people.ts'
import { gidOf } from './catalogue.ts'
import { makeOrder, makeSupplier } from './orders.ts'

/** Adds the first variant, or another one, to a supplier. The shop must have it (`makeStock`). */
export async function makeSupplierProduct(
  person: Person,
  { supplierId, ...fields }: Partial<SupplierProductInput> & { supplierId?: number } = {},
): Promise<SupplierProduct> {
  const id = supplierId ?? (await makeSupplier(person))
  const input = { variantId: gidOf('ProductVariant', 1), supplierSku: 'N-1', ...fields }
  const response = await person.post(`/api/suppliers/${id}/products`, input)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data
}

/** What a supplier sells, newest first. */
export async function supplierProducts(
  person: Person,
  supplierId: number,
  query = '',
): Promise<SupplierProduct[]> {
  const response = await person.get(`/api/suppliers/${supplierId}/products${query}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

export const saveProducts = (person: Person, supplierId: number, products: Partial<SupplierProductRow>[]) =>
  person.post(`/api/suppliers/${supplierId}/products/bulk`, { products })

/** A supplier that was deleted although it has an order. */
export async function makeArchivedSupplier(person: Person, name = 'Acme'): Promise<number> {
  const supplierId = await makeSupplier(person, { name })
  await makeOrder(person, { supplierId })
  await person.delete(`/api/suppliers/${supplierId}`)
  return supplierId
}
