import type {
  CountedLine,
  DirectReceiptInput,
  OrderReceipt,
  PostReceipt,
  ReceiptDetail,
} from '../../../shared/schemas/receipts.ts'
import type { Person } from '../core/people.ts'
import { readOrder } from './orders.ts'
import { variantGid } from './stock.ts'

type Counts = Omit<CountedLine, 'lineItemId'>

/** The counts of the order's lines, in their order; an empty one skips a line. */
export async function countsOf(
  person: Person,
  id: number,
  counts: readonly Counts[],
): Promise<CountedLine[]> {
  const { lineItems } = await readOrder(person, id)
  return lineItems.flatMap((item, at) => {
    const count = counts[at] ?? {}
    return Object.keys(count).length > 0 ? [{ lineItemId: item.id, ...count }] : []
  })
}

/** A draft of an order; by default one piece of its first line was accepted. */
export async function makeDraft(
  person: Person,
  id: number,
  counts: readonly Counts[] = [{ accepted: 1 }],
  fields: object = {},
): Promise<OrderReceipt> {
  const lines = await countsOf(person, id, counts)
  const response = await person.post(`/api/purchase-orders/${id}/receipts`, { lines, ...fields })
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data
}

export const postDraft = (person: Person, { purchaseOrderId, id }: OrderReceipt, body: PostReceipt = {}) =>
  person.post(`/api/purchase-orders/${purchaseOrderId}/receipts/${id}/post`, body)

/** Counts and posts in two requests. */
export async function postCounts(
  person: Person,
  id: number,
  counts: readonly Counts[],
  body: PostReceipt = {},
): Promise<OrderReceipt> {
  const draft = await makeDraft(person, id, counts)
  const response = await postDraft(person, draft, body)
  if (response.statusCode !== 200) throw new Error(response.body)
  return draft
}

/** Goods without an order; by default two pieces of the first variant at 3.00. */
export async function makeDirectReceipt(
  person: Person,
  fields: Partial<DirectReceiptInput> = {},
): Promise<ReceiptDetail> {
  const response = await person.post('/api/receipts', {
    lines: [{ variantId: variantGid(1), quantity: 2, unitCost: 3 }],
    ...fields,
  })
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data
}
