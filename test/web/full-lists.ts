import { demoShop } from '../../dev/demo/demo-data.ts'
import type { DemoSystem } from '../../dev/demo/demo-system.ts'

/** More rows than a page of a list. */
const rowCount = 51
const longName = 'Manufaktur für handgewebte Leinenstoffe und Tischwäsche GmbH & Co. KG'

type Stocked = { variants: { variantId: string; currentStock: number | null }[]; productId: string }

/** Fills the lists of the demo shop, so that each has more than one page. */
export async function fillLists({ webUrl, simulatorUrl }: DemoSystem): Promise<void> {
  const token = await (await fetch(`${simulatorUrl}/shops/${demoShop}/session-token.txt?minutes=10`)).text()
  const request = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${webUrl}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status} ${text}`)
    const { data }: { data: T } = JSON.parse(text)
    return data
  }
  const products = await request<Stocked[]>('GET', '/products?limit=100')
  const lines = products.flatMap(({ productId, variants }) =>
    variants.flatMap(({ variantId, currentStock }) =>
      currentStock === null ? [] : [{ productId, variantId }],
    ),
  )
  const [first, second] = await request<{ locationId: string }[]>('GET', '/locations')
  if (!first || !second) throw new Error('The demo shop has fewer than two locations')
  const { id: supplierId } = await request<{ id: number }>('POST', '/suppliers', { name: longName })
  // one after another: web refuses a request that waits two seconds for a connection
  const each = async (work: (at: number) => Promise<unknown>) => {
    for (let at = 0; at < rowCount; at += 1) await work(at)
  }
  const variantAt = (at: number) => lines[at % lines.length]?.variantId
  await request('POST', '/reorder/rules/bulk', {
    rules: lines.slice(8, 8 + rowCount).map(({ variantId }, at) => ({
      ...{ variantId, reorderPoint: 400 + at, reorderQuantity: 1200, supplierId: at % 3 ? supplierId : null },
    })),
  })
  await request('POST', '/stock-levels/adjust', {
    adjustments: Array.from({ length: rowCount }, (_, at) => ({
      ...{ variantId: variantAt(at), locationId: first.locationId, delta: 1, reason: 'Damaged in transit' },
    })),
    allowNegative: true,
  })
  await each((at) =>
    request('POST', '/suppliers', { name: `${longName} ${at}`, email: `s${at}@example.com` }),
  )
  await each((at) =>
    request('POST', '/purchase-orders', {
      supplierId,
      lineItems: [{ ...lines[at % lines.length], quantity: 1200, costPrice: 1234.5 }],
    }),
  )
  const sent = await request<{ id: number }[]>('GET', '/purchase-orders?status=sent')
  await request('PUT', `/purchase-orders/${sent[0]?.id}`, { expectedAt: '2026-03-01T12:00:00Z' })
  await each((at) =>
    request('POST', '/stock-transfers', {
      sourceLocationId: first.locationId,
      destinationLocationId: second.locationId,
      items: [{ variantId: variantAt(at), quantity: 1 }],
    }),
  )
}
