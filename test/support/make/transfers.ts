import type { StockTransfer, StockTransferInput } from '../../../shared/schemas/stock-transfers.ts'
import type { Person } from '../core/people.ts'
import { locationGid, variantGid } from './stock.ts'

/** A transfer item of variant n. */
export const item = (number: number, quantity: number) => ({ variantId: variantGid(number), quantity })

/** A valid transfer from location 1 to location 2 (`makeStock` makes both). Tests change single fields. */
export const transfer = (fields: Partial<StockTransferInput> = {}): StockTransferInput => ({
  sourceLocationId: locationGid(1),
  destinationLocationId: locationGid(2),
  items: [item(1, 1)],
  ...fields,
})

export async function makeTransfer(
  person: Person,
  fields: Partial<StockTransferInput> = {},
): Promise<number> {
  const response = await person.post('/api/stock-transfers', transfer(fields))
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

export async function readTransfer(person: Person, id: number): Promise<StockTransfer> {
  const response = await person.get(`/api/stock-transfers/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}
