import type { PurchaseOrderInput } from '../../shared/schemas/purchase-orders.ts'
import type { SupplierInput } from '../../shared/schemas/suppliers.ts'
import type { Person } from './people.ts'

/** A line that the API takes; tests break one thing each. */
export const line = (number: number, fields: Partial<PurchaseOrderInput['lineItems'][number]> = {}) => ({
  productId: `gid://platform/Product/${number}`,
  variantId: `gid://platform/ProductVariant/${number}`,
  sku: `SKU-${number}`,
  title: `Thing ${number}`,
  quantity: 1,
  costPrice: 1,
  ...fields,
})

export async function makeSupplier(person: Person, fields: Partial<SupplierInput> = {}): Promise<number> {
  const input = { name: 'Acme', email: 'orders@acme.example.com', ...fields }
  const answer = await person.post('/api/suppliers', input)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data.id
}

export async function makeOrder(
  person: Person,
  { supplierId, ...fields }: Partial<PurchaseOrderInput> = {},
): Promise<{ id: number; poNumber: string; supplierId: number; total: number }> {
  const input = {
    supplierId: supplierId ?? (await makeSupplier(person)),
    lineItems: [line(1, { quantity: 3, costPrice: 2.5 })],
    ...fields,
  }
  const answer = await person.post('/api/purchase-orders', input)
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data
}
