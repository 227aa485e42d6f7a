import type pg from 'pg'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { withClient } from '../postgres/database.ts'
import type { Secrets } from '../secrets.ts'
import { mintSessionToken } from '../simulator/session-token.ts'
import { type DemoOrder, demoOrders, demoSettings, demoShop, demoSuppliers } from './demo-data.ts'
import { installApp } from './install.ts'

export type DemoOptions = { databaseUrl: string; webUrl: string; simulatorUrl: string; secrets: Secrets }

/** An order that can be mailed now: a draft where there is one. */
export type DemoShop = { isNew: boolean; orderId: number | undefined }

/**
 * Installs the app in the demo shop and fills it through the API. What is there already, from an earlier start
 * or one that was cut short, is left as it is; once everything was there, nothing that is gone comes back.
 */
export async function seedDemoShop(options: DemoOptions): Promise<DemoShop> {
  const { databaseUrl, webUrl, secrets } = options
  return withClient(databaseUrl, async (client) => {
    const shopId = await installShop(client, options)
    // Orders come last and their numbers are never given twice, so this tells that everything has been there.
    const isNew = (await lastOrderNumber(client, shopId)) < demoOrders.length
    if (isNew) await fillShop(client, shopId, webUrl, secrets)
    return { isNew, orderId: await mailableOrder(client, shopId) }
  })
}

/** By the real way, unless it is installed already with a token that our keys open. */
async function installShop(client: pg.Client, options: DemoOptions): Promise<number> {
  const installed = await findInstalled(client)
  const cipher = createTokenCipher(options.secrets)
  // a token that other keys have sealed is of no use: `secrets.json` was deleted and the database was not
  if (!installed || !cipher.canOpen(installed.access_token, demoShop)) {
    await installApp(options.webUrl, options.simulatorUrl, demoShop)
  }
  const { id } = (await findInstalled(client)) ?? {}
  if (id === undefined) throw new Error(`The shop ${demoShop} is not there`)
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
    const kept = await client.query('select from supplier_contact where shop_id = $1 and supplier_id = $2', [
      shopId,
      id,
    ])
    for (const contact of contacts.slice(kept.rowCount ?? 0)) await post(`/suppliers/${id}/contacts`, contact)
  }
  const orders = await knownOrders(client, shopId)
  for (const { supplier, becomes, ...input } of demoOrders) {
    const known = orders.get(input.notes)
    const order = known ?? {
      id: (await post('/purchase-orders', { ...input, supplierId: suppliers.get(supplier) })).id,
      status: 'draft',
    }
    if (order.status === 'draft') await advance(post, order.id, becomes)
  }
}

async function advance(post: Post, id: number, becomes: DemoOrder['becomes']): Promise<void> {
  if (becomes === 'sent') await post(`/purchase-orders/${id}/send`)
  if (becomes === 'cancelled') await post(`/purchase-orders/${id}/cancel`)
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
      throw new Error(`The demo shop is not complete: POST ${path} answered ${response.status} ${text}`)
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

async function knownOrders(
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
