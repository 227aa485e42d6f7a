import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import type { Platform } from '../../../dev/simulator/server.ts'
import { keys } from './simulator.ts'

export const demo = 'demo.myshop.example'
export const appUrl = 'http://localhost:4555'

/** A valid query of the consent page. Tests change single parameters. */
export const authorizeQuery = {
  client_id: keys.apiKey,
  scope: 'read_products,read_inventory,write_inventory,read_locations,read_orders',
  redirect_uri: `${appUrl}/auth/callback`,
  state: 'state-1',
}

export const authorizeUrl = (
  platform: Platform,
  query: Record<string, string> = authorizeQuery,
  shop = demo,
) => `${platform.url}/shops/${shop}/admin/oauth/authorize?${new URLSearchParams(query)}`

/** Submits the consent form. Returns the address of the redirect. */
export async function pressInstall(platform: Platform, query: Record<string, string> = authorizeQuery) {
  const response = await fetch(`${platform.url}/shops/${demo}/admin/oauth/authorize`, {
    method: 'POST',
    body: new URLSearchParams(query),
    redirect: 'manual',
  })
  return new URL(response.headers.get('location') ?? '')
}

export async function postToken(platform: Platform, body: Record<string, unknown>, shop = demo) {
  const response = await fetch(`${platform.url}/shops/${shop}/admin/oauth/access_token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: keys.apiKey, client_secret: keys.apiSecret, ...body }),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

/** The hmac as an app computes it: over all other parameters, sorted and percent-encoded. */
export function hmacOf(url: URL): string {
  const message = [...url.searchParams]
    .filter(([name]) => name !== 'hmac')
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .sort()
    .join('&')
  return createHmac('sha256', keys.apiSecret).update(message).digest('hex')
}

export type Received = { headers: IncomingHttpHeaders; body: string }

/** An app that receives webhooks and responds with the status that the test chooses. */
export async function startApp(t: Test, respond: (received: Received, count: number) => number = () => 200) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const webhook = { headers: request.headers, body: Buffer.concat(chunks).toString() }
      received.push(webhook)
      const status = respond(webhook, received.length)
      if (status > 0) response.writeHead(status).end()
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return { url, received, address: `${url}/webhooks` }
}
