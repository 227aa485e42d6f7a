import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { Config } from '../../shared/config.ts'
import type { Db } from '../../shared/db/db.ts'
import {
  findCredential,
  lockRefresh,
  releaseRefresh,
  renewCredential,
  resealCredential,
  revokeCredential,
  type ShopCredential,
} from '../../shared/domain/records/shops/credentials.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { PlatformError, TokenRevokedError } from '../../shared/platform/errors.ts'
import { type Pause, postJson } from '../../shared/platform/http.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'

/** A shop's decrypted token, and `sealed`, its stored form: `revokeCredential` identifies it by that. */
export type AccessToken = { domain: string; token: string; sealed: string }
export type AccessTokens = (shopId: number, signal: AbortSignal) => Promise<AccessToken>

/** A token is renewed this long before it expires, so that a failed renewal can be retried in time. */
const renewBeforeSeconds = 5 * 60
const minSecondsLeft = 10
/** Longer than the timeout of the renewal. When a process dies during it, the others wait until this is over. */
const lockSeconds = 30
const timeoutMs = 10_000
const pollIntervalMs = 250
const maxWaitMs = (lockSeconds + 10) * 1000

const RenewalResponse = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.Optional(Type.String({ minLength: 1 })),
  expires_in: Type.Optional(Type.Integer({ minimum: 1 })),
})
const renewalResponse = TypeCompiler.Compile(RenewalResponse)

/**
 * Returns a shop's access token, decrypted. A token that an older key sealed is sealed again, so that the key can be
 * removed later. A token that is about to expire is renewed first: by one process, while the others poll, since a
 * refresh token can be used once. Throws TokenRevokedError when the shop has no valid token, and PlatformError
 * `unavailable` when the token cannot be renewed.
 */
export function createAccessTokens(config: Config, db: Db, pause: Pause): AccessTokens {
  const cipher = createTokenCipher(config)

  async function open(shopId: number, credential: ShopCredential): Promise<AccessToken> {
    const { domain, accessToken, refreshToken } = credential
    const token = cipher.open(accessToken, domain)
    const sealed = [accessToken, refreshToken].filter((text) => text !== null)
    if (!sealed.every(cipher.isCurrent)) {
      await resealCredential(db, shopId, credential, {
        accessToken: cipher.seal(token, domain),
        refreshToken: refreshToken && cipher.seal(cipher.open(refreshToken, domain), domain),
      })
    }
    return { domain, token, sealed: accessToken }
  }

  /** Returns whether the shop has a new token. Cannot be aborted: the new tokens would be lost. */
  async function renew(shopId: number, credential: ShopCredential): Promise<boolean> {
    const { domain, accessToken } = credential
    try {
      const { access_token, refresh_token, expires_in } = await requestRenewal(credential)
      await renewCredential(db, shopId, accessToken, {
        accessToken: cipher.seal(access_token, domain),
        refreshToken: refresh_token === undefined ? null : cipher.seal(refresh_token, domain),
        expiresIn: expires_in ?? null,
      })
      return true
    } catch (error) {
      await releaseRefresh(db, shopId, accessToken)
      if ((credential.secondsLeft ?? 0) > minSecondsLeft) return false
      if (!(error instanceof TokenRevokedError)) throw error
      await revokeCredential(db, shopId, accessToken)
      throw error
    }
  }

  async function requestRenewal({ domain, refreshToken }: ShopCredential) {
    const { status, text } = await postJson(
      `${platformAddress(config, 'PLATFORM_SHOP_AUTH_URL', domain)}/access_token`,
      {},
      {
        client_id: config.PLATFORM_API_KEY,
        client_secret: config.PLATFORM_API_SECRET,
        grant_type: 'refresh_token',
        refresh_token: cipher.open(refreshToken ?? '', domain),
      },
      { timeoutMs, signal: new AbortController().signal },
    )
    if (status === 400 || status === 401) throw new TokenRevokedError()
    const response = status === 200 ? parse(text) : undefined
    if (!renewalResponse.Check(response)) {
      throw new PlatformError('unavailable', `The platform returned no new access token (status ${status}).`)
    }
    return response
  }

  return async (shopId, signal) => {
    for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += pollIntervalMs) {
      const credential = await findCredential(db, shopId)
      if (!credential || credential.isRevoked) throw new TokenRevokedError()
      if (credential.isRefreshing) await pause(pollIntervalMs, signal)
      else if (!isDue(credential)) return open(shopId, credential)
      else if (await lockRefresh(db, shopId, credential.accessToken, lockSeconds)) {
        if (!(await renew(shopId, credential))) return open(shopId, credential)
      }
    }
    throw new PlatformError('unavailable', 'The access token of the shop could not be renewed in time.')
  }
}

function isDue({ secondsLeft, refreshToken }: ShopCredential): boolean {
  return secondsLeft !== null && secondsLeft < renewBeforeSeconds && refreshToken !== null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
