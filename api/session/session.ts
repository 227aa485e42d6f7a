import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../shared/config.ts'
import { findInstalledShop } from '../../shared/domain/records/shops/shops.ts'
import { requestRepair } from '../../shared/domain/records/shops/subscriptions.ts'
import { presets } from '../../shared/platform/presets.ts'
import { createTokenCipher } from '../../shared/token-cipher.ts'
import { HttpError } from '../http/errors.ts'
import { countFailedAttempts } from '../http/failed-attempts.ts'
import { createSessionTokenVerifier, type SessionClaims, SessionTokenError } from './session-token.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The shop of the session token. */
    shop: { id: number; domain: string }
    /** The id of the user of the session token; documents and stock movements record it. */
    actor: string
  }
}

const maxTokenLength = 8192

/**
 * Refuses requests to this scope without a valid session token of an installed shop. The reason goes to the log and
 * not to the caller (specification, "Authentication").
 */
export function requireSession(app: FastifyInstance, config: Config): void {
  const verify = createSessionTokenVerifier(config)
  const cipher = createTokenCipher(config)
  const forgedTokens = countFailedAttempts(config.FAILED_ATTEMPTS_PER_MINUTE)
  const retryHeader = `${presets[config.PLATFORM].headerPrefix}Retry-Invalid-Session-Request`

  /** With `retry`, the platform's library in the page fetches a new token and repeats the request. */
  const unauthorized = (reason: string, { retry }: { retry: boolean }) =>
    new HttpError(
      {
        status: 401,
        code: 'unauthorized',
        message: 'Your session has ended. Reload this page.',
        headers: { 'www-authenticate': 'Bearer', ...(retry && { [retryHeader]: '1' }) },
      },
      reason,
    )

  /** Caches an installed shop for 1 s; a failed look-up is not cached. */
  const shops = new LRUCache<string, FastifyRequest['shop']>({
    max: 10_000,
    ttl: 1_000,
    async fetchMethod(domain) {
      const shop = await findInstalledShop(app.db, domain)
      if (!shop) throw unauthorized('the shop has not installed the app', { retry: false })
      if (!cipher.canOpen(shop.accessToken, shop.domain)) {
        throw unauthorized('the access token of the shop cannot be decrypted', { retry: false })
      }
      if (shop.isCheckDue) {
        await requestRepair(app.db, shop.id).catch((err: unknown) =>
          app.log.warn({ err }, 'could not enqueue the check of the webhook subscriptions'),
        )
      }
      return { id: shop.id, domain: shop.domain }
    },
  })

  app.decorateRequest('shop')
  app.decorateRequest('actor', '')

  app.addHook('onRequest', async (request) => {
    forgedTokens.refuseBlocked(request)
    const token = bearerToken(request)
    if (!token) throw unauthorized('no single valid Authorization header', { retry: false })
    const { shopDomain, userId } = await verify(token).catch((error: unknown): SessionClaims => {
      if (!(error instanceof SessionTokenError)) throw error
      if (error.isForged) forgedTokens.record(request)
      throw unauthorized(error.message, { retry: true })
    })
    request.shop = await shops.forceFetch(shopDomain)
    request.actor = userId
  })
}

/** The token of the Authorization header; undefined when there is no such header or more than one. */
function bearerToken(request: FastifyRequest): string | undefined {
  const { rawHeaders, headers } = request.raw
  const count = rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name)).length
  const { authorization = '' } = headers
  if (count !== 1 || authorization.length > maxTokenLength) return undefined
  return /^Bearer ([\w-]+(?:\.[\w-]*){2})$/i.exec(authorization)?.[1]
}
