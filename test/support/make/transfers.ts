import type { StockTransfer, StockTransferInput } from '../../../shared/schemas/stock-transfers.ts'
import type { Person } from '../core/people.ts'
import { locationGid, variantGid } from './stock.ts'

/** So many pieces of variant n. */
export const item = (number: number, quantity: number) => ({ variantId: variantGid(number), quantity })

/** A transfer that the API takes: location 1 to location 2 (`makeStock` makes both), tests break one thing each. */
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
  const answer = await person.post('/api/stock-transfers', transfer(fields))
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data.id
}

export async function readTransfer(person: Person, id: number): Promise<StockTransfer> {
  const answer = await person.get(`/api/stock-transfers/${id}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}
