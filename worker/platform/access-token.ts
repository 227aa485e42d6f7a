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
} from '../../shared/domain/shops/credentials.ts'
import { platformAddress } from '../../shared/platform/addresses.ts'
import { PlatformError, TokenRevokedError } from '../../shared/platform/errors.ts'
import { type Pause, postJson } from '../../shared/platform/http.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'

/** A shop's token, open, and `sealed` as it is stored: what a refusal of it is recorded against. */
export type AccessToken = { domain: string; token: string; sealed: string }
export type AccessTokens = (shopId: number, signal: AbortSignal) => Promise<AccessToken>

/** A token is renewed so long before it expires, so that a failure to do so leaves time for the next attempt. */
const renewBeforeSeconds = 5 * 60
/** Below this a token may expire on its way. */
const minSecondsLeft = 10
/** Longer than the request for a new token may take. A process that dies during it blocks the others so long. */
const holdSeconds = 30
const timeoutMs = 10_000
const askAgainMs = 250
const maxWaitMs = (holdSeconds + 10) * 1000

const RenewalAnswer = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.Optional(Type.String({ minLength: 1 })),
  expires_in: Type.Optional(Type.Integer({ minimum: 1 })),
})
const renewalAnswer = TypeCompiler.Compile(RenewalAnswer)

/**
 * Opens a shop's access token. One that was sealed by an older key is sealed again, so that the older key can be
 * taken away in time. One that is about to expire is renewed first: by one process, while the others wait, since a
 * refresh token is good for one use. The request is made outside of any transaction.
 * Throws TokenRevokedError when there is no token that the platform takes.
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

  /** Answers whether the shop has a new token now. Heeds no stop: the new tokens of a request that was sent count. */
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
    const answer = status === 200 ? parse(text) : undefined
    if (!renewalAnswer.Check(answer)) {
      throw new PlatformError('unavailable', `The platform gave no new access token (status ${status}).`)
    }
    return answer
  }

  return async (shopId, signal) => {
    for (let waitedMs = 0; waitedMs < maxWaitMs; waitedMs += askAgainMs) {
      const credential = await findCredential(db, shopId)
      if (!credential || credential.isRevoked) throw new TokenRevokedError()
      if (credential.isRefreshing) await pause(askAgainMs, signal)
      else if (!isDue(credential)) return open(shopId, credential)
      else if (await lockRefresh(db, shopId, credential.accessToken, holdSeconds)) {
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
