import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { advanceMail, startMail } from '../../../shared/domain/documents/purchase-orders/mail/mail.ts'
import { Id } from '../../../shared/schemas/common.ts'
import type { PurchaseOrder, PurchaseOrderInput } from '../../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../../shared/schemas/receipts.ts'
import type { SupplierInput } from '../../../shared/schemas/suppliers.ts'
import type { Person } from '../core/people.ts'

/** A valid line. Tests change single fields. */
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
  const response = await person.post('/api/suppliers', input)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
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
  const response = await person.post('/api/purchase-orders', input)
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data
}

export async function readOrder(person: Person, id: number): Promise<PurchaseOrder> {
  const response = await person.get(`/api/purchase-orders/${id}`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** An order that was sent, with its mail in the queue. */
export async function makeSentOrder(person: Person, fields: Partial<PurchaseOrderInput> = {}) {
  const order = await makeOrder(person, fields)
  const response = await person.post(`/api/purchase-orders/${order.id}/send`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return order
}

/** The hash of a PDF, for tests that send none. */
export const pdfSha256 = 'a'.repeat(64)

/** An order that was sent, with the id of its mail, which the mail service has accepted. */
export async function makeMailedOrder(db: Db, person: Person, fields: Partial<PurchaseOrderInput> = {}) {
  const order = await makeSentOrder(person, fields)
  const [mail] = await mailsOf(db, person, order.id)
  if (!mail) throw new Error('The order has no mail')
  await startMail(db, person.shopId, mail.id, pdfSha256)
  await advanceMail(db, person.shopId, mail.id, { state: 'sent', messageId: `message-${mail.id}` })
  return { ...order, mailId: mail.id }
}

const Mail = Type.Object({
  id: Id,
  sendNo: Type.Integer(),
  state: Type.String(),
  reason: Type.String(),
  recipient: Type.String(),
  createdBy: Type.String(),
})

/** The mails of an order, oldest first. */
export function mailsOf(db: Db, { shopId }: Person, purchaseOrderId: number) {
  return db.any(sql.type(row(Mail))`
    select id, send_no, state, reason, recipient, created_by
    from outgoing_mail
    where shop_id = ${shopId} and purchase_order_id = ${purchaseOrderId}
    order by send_no
  `)
}

/** Receives these quantities of the order's lines, in their order; 0 skips a line. */
export async function receive(person: Person, id: number, quantities: number[], fields: object = {}) {
  const { lineItems } = await readOrder(person, id)
  const arrived = lineItems.map((item, at) => ({
    lineItemId: item.id,
    quantityReceived: quantities[at] ?? 0,
  }))
  return person.post(`/api/purchase-orders/${id}/receive`, {
    lineItems: arrived.filter(({ quantityReceived }) => quantityReceived > 0),
    ...fields,
  })
}

/** The receipts of an order, newest first. */
export async function receiptsOf(person: Person, id: number): Promise<Receipt[]> {
  const response = await person.get(`/api/purchase-orders/${id}/receipts`)
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().data
}

/** An order brought to a status through the API. Receipts need a location: call `makeStock` first. */
export async function makeOrderIn(
  person: Person,
  status: PurchaseOrder['status'],
  fields: Partial<PurchaseOrderInput> = {},
) {
  if (status === 'draft') return makeOrder(person, fields)
  const order = await makeSentOrder(person, fields)
  const { lineItems } = await readOrder(person, order.id)
  const all = lineItems.map(({ quantity }) => quantity)
  if (status === 'partial') await receive(person, order.id, [1])
  if (status === 'received') await receive(person, order.id, all)
  if (status === 'cancelled') await person.post(`/api/purchase-orders/${order.id}/cancel`)
  const actual = (await readOrder(person, order.id)).status
  if (actual !== status) throw new Error(`The order is ${actual} instead of ${status}.`)
  return order
}
