import type { Test } from 'tap'
import type { Platform, PlatformOptions } from '../../../dev/simulator/server.ts'
import type { Shop } from '../../../dev/simulator/shops/shop.ts'
import { demo } from './app.ts'
import { startSimulator } from './simulator.ts'

/** A parsed response body without a type. */
export type Json = ReturnType<typeof JSON.parse>

export type Call = (query: string, variables?: Record<string, unknown>) => Promise<Json>

/** Calls the API as an app does. Returns the whole body. */
export function callerOf(platform: Platform, domain: string, token: string): Call {
  return async (query, variables = {}) =>
    JSON.parse((await post(platform, domain, token, { query, variables })).text)
}

export async function post(platform: Platform, domain: string, token: string, body: unknown) {
  const response = await fetch(`${platform.url}/shops/${domain}/admin/api/2026-07/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-platform-access-token': token },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A simulator with the demo shop, or with a small one, and the app installed. */
export async function startShop(
  t: Test,
  options: Partial<PlatformOptions> = {},
  domain: string = demo,
): Promise<{ platform: Platform; shop: Shop; call: Call; token: string }> {
  const { platform } = await startSimulator(t, {
    throttle: { maximum: 100_000, restoreRate: 1000 },
    ...options,
  })
  const shop = platform.shops.get(domain)
  const token = shop.install()
  return { platform, shop, token, call: callerOf(platform, domain, token) }
}

export const small = 'small.myshop.example'
export const smallShop = {
  shops: [{ domain: small, generated: { products: 3, variantsPerProduct: 2, locations: 2 } }],
}
