import type { StockCount, StockCountInput } from '../../../shared/schemas/stock-counts.ts'
import type { Person } from '../core/people.ts'
import { locationGid, variantGid } from './stock.ts'

/** A count item of variant n; null when it is not counted yet. */
export const counted = (number: number, countedQuantity: number | null) => ({
  variantId: variantGid(number),
  countedQuantity,
})

/** Starts a count of location 1 (`makeStock` makes it), without items by default. */
export async function makeCount(person: Person, fields: Partial<StockCountInput> = {}): Promise<number> {
  const response = await person.post('/api/stock-counts', {
    locationId: locationGid(1),
    items: [],
    ...fields,
  })
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}

export async function readCount(person: Person, id: number): Promise<StockCount> {
  const response = await person.get(`/api/stock-counts/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}
