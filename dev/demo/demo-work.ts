import { setTimeout as sleep } from 'node:timers/promises'
import type { Location } from '../../shared/schemas/locations.ts'
import type { ProductListItem } from '../../shared/schemas/products.ts'
import type { PurchaseOrder, PurchaseOrderListItem } from '../../shared/schemas/purchase-orders.ts'
import type { Receipt } from '../../shared/schemas/receipts.ts'
import type { CreatedStockCount, StockCount } from '../../shared/schemas/stock-counts.ts'
import type { CreatedStockTransfer } from '../../shared/schemas/stock-transfers.ts'
import type { SupplierListItem } from '../../shared/schemas/suppliers.ts'
import type { Sync } from '../../shared/schemas/sync.ts'

export type Api = {
  get: <T>(path: string) => Promise<T>
  send: <T>(method: 'POST' | 'PUT', path: string, body: object) => Promise<T>
}

/** Creates the records of a working day in the demo shop, so that no page of the admin is empty. */
export async function workInDemoShop(webUrl: string, token: () => Promise<string>): Promise<void> {
  const api = await openApi(webUrl, token)
  await untilSynced(api)
  const products = await api.get<ProductListItem[]>('/products?limit=30')
  const variantIds = products.flatMap(({ variants }) =>
    variants.flatMap(({ variantId, currentStock }) => (currentStock === null ? [] : [variantId])),
  )
  const [first, second] = await api.get<Location[]>('/locations')
  if (!first || !second) throw new Error('The demo shop has fewer than two locations')
  await receivePart(api)
  await returnPart(api, first)
  await writeRules(api, variantIds)
  const [firstVariant = '', secondVariant = '', thirdVariant = ''] = variantIds
  await api.send('POST', '/stock-levels/adjust', {
    adjustments: [{ variantId: firstVariant, locationId: first.locationId, delta: -1, reason: 'Damaged' }],
    allowNegative: true,
  })
  await api.send('POST', '/stock-transfers', {
    sourceLocationId: first.locationId,
    destinationLocationId: second.locationId,
    items: [
      { variantId: firstVariant, quantity: 3 },
      { variantId: secondVariant, quantity: 5 },
    ],
  })
  await transferPart(api, { first, second, variantIds })
  await api.send('POST', '/stock-counts', {
    locationId: first.locationId,
    items: [firstVariant, secondVariant, thirdVariant].map((variantId, at) => ({
      variantId,
      countedQuantity: at === 2 ? null : 12,
    })),
  })
  const { id } = await api.send<CreatedStockCount>('POST', '/stock-counts', {
    locationId: second.locationId,
    items: variantIds.slice(4, 8).map((variantId, at) => ({ variantId, countedQuantity: 10 * at })),
  })
  await untilRead(api, id)
  await api.send('PUT', `/stock-counts/${id}`, { status: 'submitted' })
  await addImport(api)
}

/** Adds a file with the orders of an earlier app. */
export async function addImport(api: Api): Promise<void> {
  const { id } = await api.send<{ id: number }>('POST', '/imports', { fileName: 'orders.csv' })
  const file =
    'PO Number,Supplier,Order date,SKU,Quantity,Cost\nS-77,Northgate Ceramics,2024-05-13,GONE-1,10,2.50'
  await api.send('PUT', `/imports/${id}/parts/0`, { base64: Buffer.from(file).toString('base64') })
  await api.send('POST', `/imports/${id}/read`, {})
}

/** Receives a part of the oldest sent order. */
async function receivePart(api: Api): Promise<void> {
  const sent = (await api.get<PurchaseOrderListItem[]>('/purchase-orders?status=sent')).at(-1)
  if (!sent) return
  const { lineItems } = await api.get<PurchaseOrder>(`/purchase-orders/${sent.id}`)
  await api.send('POST', `/purchase-orders/${sent.id}/receive`, {
    lineItems: lineItems.slice(0, 1).map(({ id, quantity }) => ({
      lineItemId: id,
      quantityReceived: Math.ceil(quantity / 2),
    })),
  })
}

/** Begins a return of two pieces of the newest receipt of the order that `receivePart` has received. */
async function returnPart(api: Api, { locationId }: Location): Promise<void> {
  const [order] = await api.get<PurchaseOrderListItem[]>('/purchase-orders?status=partial')
  if (!order) return
  const [receipt] = await api.get<Receipt[]>(`/purchase-orders/${order.id}/receipts`)
  const [line] = receipt?.lineItems ?? []
  if (!receipt || !line) return
  await api.send('POST', '/supplier-returns', {
    supplierId: order.supplierId,
    receiptId: receipt.id,
    locationId,
    lines: [
      { variantId: line.variantId, quantity: Math.min(line.quantity, 2), reason: 'Damaged in transit' },
    ],
    supplierReference: 'RMA-2217',
  })
}

/** Ships a transfer of which a part arrives, and makes a location low that another one can help. */
async function transferPart(
  api: Api,
  { first, second, variantIds }: { first: Location; second: Location; variantIds: readonly string[] },
): Promise<void> {
  const [a = '', b = '', c = ''] = variantIds.slice(8)
  const locations = { sourceLocationId: first.locationId, destinationLocationId: second.locationId }
  const { id } = await api.send<CreatedStockTransfer>('POST', '/stock-transfers', {
    ...locations,
    items: [
      { variantId: a, quantity: 10 },
      { variantId: b, quantity: 4 },
    ],
  })
  await api.send('POST', `/stock-transfers/${id}/ship`, { allowNegative: true })
  await api.send('POST', `/stock-transfers/${id}/receive`, {
    items: [{ variantId: a, received: 7, lost: 2 }],
  })
  await api.send('PUT', '/stock-levels/bulk', {
    adjustments: [
      { variantId: c, locationId: first.locationId, quantity: 60 },
      { variantId: c, locationId: second.locationId, quantity: 2 },
    ],
  })
  await api.send('POST', '/reorder/rules', {
    variantId: c,
    locationId: second.locationId,
    ...{ reorderPoint: 8, reorderQuantity: 12 },
  })
}

/** Creates manual rules with a high reorder point, so that there are suggestions, and one automatic rule. */
async function writeRules(api: Api, variantIds: readonly string[]): Promise<void> {
  const suppliers = await api.get<SupplierListItem[]>('/suppliers')
  const supplierId = suppliers.at(-1)?.id ?? null
  const [first = '', second = '', third = '', fourth = ''] = variantIds
  const high = { reorderPoint: 500, reorderQuantity: 120 }
  await api.send('POST', '/reorder/rules/bulk', {
    rules: [
      { variantId: first, ...high, supplierId },
      { variantId: second, ...high, supplierId },
      { variantId: third, ...high },
      { variantId: fourth, mode: 'auto', serviceLevel: 95, reviewDays: 14, supplierId },
    ],
  })
}

async function untilSynced(api: Api): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { state } = await api.get<Sync>('/sync')
    if (state === 'done') return
    await sleep(200)
  }
  throw new Error('The catalogue sync of the demo shop did not finish within a minute')
}

/** Waits until the worker has read what is on hand of every counted product: only then the count can be submitted. */
async function untilRead(api: Api, countId: number): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { items } = await api.get<StockCount>(`/stock-counts/${countId}`)
    if (items.every(({ countedQuantity, readAt }) => countedQuantity === null || readAt !== null)) return
    await sleep(200)
  }
  throw new Error('The worker did not read the counted products of the demo shop within a minute')
}

async function openApi(webUrl: string, token: () => Promise<string>): Promise<Api> {
  const authorization = `Bearer ${await token()}`
  const request = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${webUrl}/api${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`)
    const { data }: { data: T } = JSON.parse(text)
    return data
  }
  return { get: (path) => request('GET', path), send: request }
}
