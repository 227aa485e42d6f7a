import type { SupplierReturn, SupplierReturnInput } from '../../../shared/schemas/supplier-returns.ts'
import type { Person } from '../core/people.ts'
import { makeSupplier } from './orders.ts'
import { locationGid, variantGid } from './stock.ts'

/** A return line of variant n. */
export const returned = (number: number, quantity: number, reason = 'Damaged in transit') => ({
  variantId: variantGid(number),
  quantity,
  reason,
})

/** A valid return of one piece of variant 1 at location 1 (`makeStock` makes both). Tests change single fields. */
export const returnOf = (
  supplierId: number,
  fields: Partial<SupplierReturnInput> = {},
): SupplierReturnInput => ({
  supplierId,
  locationId: locationGid(1),
  lines: [returned(1, 1)],
  ...fields,
})

export async function makeReturn(
  person: Person,
  { supplierId, ...fields }: Partial<SupplierReturnInput> = {},
): Promise<number> {
  const input = returnOf(supplierId ?? (await makeSupplier(person)), fields)
  const response = await person.post('/api/supplier-returns', input)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

export async function makeShippedReturn(
  person: Person,
  fields: Partial<SupplierReturnInput> = {},
): Promise<number> {
  const id = await makeReturn(person, fields)
  const response = await person.post(`/api/supplier-returns/${id}/ship`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return id
}

export async function readReturn(person: Person, id: number): Promise<SupplierReturn> {
  const response = await person.get(`/api/supplier-returns/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}
