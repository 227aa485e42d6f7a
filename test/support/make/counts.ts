import type { StockCount, StockCountInput } from '../../../shared/schemas/stock-counts.ts'
import type { Person } from '../core/people.ts'
import { locationGid, variantGid } from './stock.ts'

/** What somebody found of variant n; null when they have not looked yet. */
export const counted = (number: number, countedQuantity: number | null) => ({
  variantId: variantGid(number),
  countedQuantity,
})

/** Begins a count of location 1 (`makeStock` makes it), of nothing unless told otherwise. */
export async function makeCount(person: Person, fields: Partial<StockCountInput> = {}): Promise<number> {
  const answer = await person.post('/api/stock-counts', { locationId: locationGid(1), items: [], ...fields })
  if (answer.statusCode !== 201) throw new Error(answer.body)
  return answer.json().data.id
}

export async function readCount(person: Person, id: number): Promise<StockCount> {
  const answer = await person.get(`/api/stock-counts/${id}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data
}
