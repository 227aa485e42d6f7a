import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Config } from '../config.ts'
import { platformAddress } from './addresses.ts'
import { presets } from './presets.ts'

/** The response to a code (specification, "Installation flow", step 4). Only an expiring token has `expires_in`. */
export const GrantedToken = Type.Object({
  access_token: Type.String({ minLength: 1, maxLength: 1000 }),
  scope: Type.Optional(Type.String()),
  expires_in: Type.Optional(Type.Integer({ minimum: 1 })),
  refresh_token: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
})
export type GrantedToken = Static<typeof GrantedToken>

/** The platform granted no token: the code was used, is invalid or expired, or the platform is unavailable. */
export class CodeExchangeError extends Error {}

const timeoutMs = 10_000

/** Exchanges an installation's code for an access token. Throws CodeExchangeError, which holds no secret. */
export async function exchangeCode(config: Config, shopDomain: string, code: string): Promise<GrantedToken> {
  const address = `${platformAddress(config, 'PLATFORM_SHOP_AUTH_URL', shopDomain)}/access_token`
  const body = {
    client_id: config.PLATFORM_API_KEY,
    client_secret: config.PLATFORM_API_SECRET,
    code,
    ...presets[config.PLATFORM].tokenRequest,
  }
  try {
    const response = await fetch(address, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    })
    const token: unknown = response.ok ? await response.json() : await response.body?.cancel()
    if (Value.Check(GrantedToken, token)) return token
    throw new CodeExchangeError(`The platform answered ${response.status} without a token`)
  } catch (error) {
    if (error instanceof CodeExchangeError) throw error
    const { name } = error instanceof Error ? error : { name: 'unknown' }
    throw new CodeExchangeError(`The platform did not answer (${name})`)
  }
}
