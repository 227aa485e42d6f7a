import type pg from 'pg'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { withClient } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import { mintSessionToken } from '../simulator/session-token.ts'
import { type DemoOrder, demoOrders, demoSettings, demoShop, demoSuppliers } from './demo-data.ts'
import { installApp } from './install.ts'

export type DemoOptions = { databaseUrl: string; webUrl: string; simulatorUrl: string; secrets: Secrets }

/** `orderId`: an order that can be mailed now, preferably a draft. */
export type DemoShop = { isNew: boolean; orderId: number | undefined }

/**
 * Installs the app in the demo shop and fills it through the API. Existing records, from an earlier or interrupted
 * start, stay as they are. Once the shop was complete, deleted records are not created again.
 */
export async function seedDemoShop(options: DemoOptions): Promise<DemoShop> {
  const { databaseUrl, webUrl, secrets } = options
  return withClient(databaseUrl, async (client) => {
    const shopId = await installShop(client, options)
    // Orders are created last and order numbers are never reused, so the last number shows whether the shop was
    // complete.
    const isNew = (await lastOrderNumber(client, shopId)) < demoOrders.length
    if (isNew) await fillShop(client, shopId, webUrl, secrets)
    return { isNew, orderId: await mailableOrder(client, shopId) }
  })
}

/** Installs the app through OAuth, unless it is installed with a token that the current keys can decrypt. */
async function installShop(client: pg.Client, options: DemoOptions): Promise<number> {
  const installed = await findInstalled(client)
  const cipher = createTokenCipher(options.secrets)
  // the token is useless when `secrets.json` was deleted and the database was not
  if (!installed || !cipher.canOpen(installed.access_token, demoShop)) {
    await installApp(options.webUrl, options.simulatorUrl, demoShop)
  }
  const { id } = (await findInstalled(client)) ?? {}
  if (id === undefined) throw new Error(`The shop ${demoShop} was not installed`)
  const { companyName, address, phone, email, currency, timeZone, locale } = demoSettings
  await client.query(
    `insert into shop_setting (shop_id, company_name, address, phone, email, currency, time_zone, locale)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (shop_id) do update
     set company_name = $2, address = $3, phone = $4, email = $5, currency = $6, time_zone = $7, locale = $8
     where shop_setting.address = ''`,
    [id, companyName, address, phone, email, currency, timeZone, locale],
  )
  return Number(id)
}

async function findInstalled(client: pg.Client): Promise<{ id: string; access_token: string } | undefined> {
  const { rows } = await client.query<{ id: string; access_token: string }>(
    `select s.id, c.access_token from shop s join shop_credential c on c.shop_id = s.id
     where s.domain = $1 and s.uninstalled_at is null and c.revoked_at is null`,
    [demoShop],
  )
  return rows[0]
}

async function fillShop(client: pg.Client, shopId: number, webUrl: string, secrets: Secrets): Promise<void> {
  const post = await createApi(webUrl, secrets)
  const suppliers = new Map<string, number>()
  for (const { contacts, ...supplier } of demoSuppliers) {
    const id = (await supplierId(client, shopId, supplier.name)) ?? (await post('/suppliers', supplier)).id
    suppliers.set(supplier.name, id)
    const existing = await client.query(
      'select from supplier_contact where shop_id = $1 and supplier_id = $2',
      [shopId, id],
    )
    for (const contact of contacts.slice(existing.rowCount ?? 0))
      await post(`/suppliers/${id}/contacts`, contact)
  }
  const orders = await findOrders(client, shopId)
  for (const { supplier, status, ...input } of demoOrders) {
    const order = orders.get(input.notes) ?? {
      id: (await post('/purchase-orders', { ...input, supplierId: suppliers.get(supplier) })).id,
      status: 'draft',
    }
    await post(`/suppliers/${suppliers.get(supplier)}/products/bulk`, {
      products: productsOf(input.lineItems),
    })
    if (order.status === 'draft') await advance(post, order.id, status)
  }
}

/** The catalogue of a supplier: what the shop orders there, in packs of six and cheaper from eight packs on. */
const productsOf = (lines: DemoOrder['lineItems']) =>
  lines.map(({ variantId, costPrice = 0 }, at) => ({
    variantId,
    supplierSku: `${String.fromCharCode(65 + at)}-${1000 + at * 25}`,
    packSize: 6,
    minimumQuantity: 12,
    prices: [
      { minQuantity: 1, price: costPrice ?? 0 },
      { minQuantity: 48, price: Math.round((costPrice ?? 0) * 90) / 100 },
    ],
  }))

async function advance(post: Post, id: number, status: DemoOrder['status']): Promise<void> {
  if (status === 'sent') await post(`/purchase-orders/${id}/send`)
  if (status === 'cancelled') await post(`/purchase-orders/${id}/cancel`)
}

type Post = (path: string, body?: unknown) => Promise<{ id: number }>

async function createApi(webUrl: string, secrets: Secrets): Promise<Post> {
  const token = await mintSessionToken({
    shop: demoShop,
    apiKey: secrets.PLATFORM_API_KEY,
    apiSecret: secrets.PLATFORM_API_SECRET,
    lifetimeSeconds: 300,
  })
  return async (path, body) => {
    const response = await fetch(`${webUrl}/api${path}`, {
      method: 'POST',
      signal: AbortSignal.timeout(30_000),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok)
      throw new Error(`The demo shop could not be filled: POST ${path} returned ${response.status} ${text}`)
    const { data }: { data: { id: number } } = JSON.parse(text)
    return data
  }
}

async function lastOrderNumber(client: pg.Client, shopId: number): Promise<number> {
  const { rows } = await client.query<{ last_number: number }>(
    'select last_number from purchase_order_counter where shop_id = $1',
    [shopId],
  )
  return rows[0]?.last_number ?? 0
}

async function supplierId(client: pg.Client, shopId: number, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ id: string }>(
    'select id from supplier where shop_id = $1 and name = $2 order by id limit 1',
    [shopId, name],
  )
  return rows[0] && Number(rows[0].id)
}

async function findOrders(
  client: pg.Client,
  shopId: number,
): Promise<Map<string, { id: number; status: string }>> {
  const { rows } = await client.query<{ id: string; notes: string; status: string }>(
    'select id, notes, status from purchase_order where shop_id = $1 order by id desc',
    [shopId],
  )
  return new Map(rows.map(({ id, notes, status }) => [notes, { id: Number(id), status }]))
}

async function mailableOrder(client: pg.Client, shopId: number): Promise<number | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `select o.id from purchase_order o
     join supplier s on s.shop_id = o.shop_id and s.id = o.supplier_id
     where o.shop_id = $1 and o.status in ('draft', 'sent', 'partial') and o.line_item_count > 0
       and (s.email <> '' or exists (
         select from supplier_contact c where c.shop_id = s.shop_id and c.supplier_id = s.id and c.email <> ''
       ))
     order by o.status = 'draft' desc, o.id desc limit 1`,
    [shopId],
  )
  return rows[0] && Number(rows[0].id)
}
