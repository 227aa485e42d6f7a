import { errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../shared/config.ts'
import { parseShopDomain } from '../../shared/platform/shop-domain.ts'

/** The shop's domain, and the id of the user who is logged in to its admin. */
export type SessionClaims = { shopDomain: string; userId: string }

/** The reason why a token is invalid. The text is for the log and contains no part of the token. */
export class SessionTokenError extends Error {
  /** False when the platform has signed it, for example when it has expired. */
  readonly isForged: boolean

  constructor(reason: string, { isForged = false }: { isForged?: boolean } = {}) {
    super(reason)
    this.isForged = isForged
  }
}

const maxCachedTokens = 10_000

/**
 * Verifies a session token (specification, "Session token"):
 * 1. HMAC-SHA256 with the client secret, else with the previous one; `exp` and `nbf` with a leeway.
 * 2. `aud` is a single text, our API key.
 * 3. `iss` and `dest` are the same shop.
 * Throws SessionTokenError. Pages send the same token many times, so valid tokens are cached until they expire.
 */
export function createSessionTokenVerifier(config: Config): (token: string) => Promise<SessionClaims> {
  const secrets = [config.PLATFORM_API_SECRET, config.PLATFORM_API_SECRET_PREVIOUS]
    .filter((secret) => secret !== undefined)
    .map((secret) => new TextEncoder().encode(secret))
  const options = {
    algorithms: ['HS256'],
    clockTolerance: config.SESSION_TOKEN_LEEWAY_SECONDS,
    requiredClaims: ['exp'],
  }

  async function verifySignature(token: string): Promise<JWTPayload> {
    for (const [index, secret] of secrets.entries()) {
      try {
        return (await jwtVerify(token, secret, options)).payload
      } catch (error) {
        const isOtherSecret = error instanceof errors.JWSSignatureVerificationFailed
        if (isOtherSecret && index < secrets.length - 1) continue
        const isSigned =
          error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed
        const reason = error instanceof errors.JOSEError ? error.code : 'not a token'
        throw new SessionTokenError(reason, { isForged: !isSigned })
      }
    }
    throw new SessionTokenError('no secret is configured')
  }

  const verified = new LRUCache<string, SessionClaims>({ max: maxCachedTokens })

  return async (token) => {
    const cached = verified.get(token)
    if (cached) return cached
    const { aud, iss, dest, sub, exp = 0 } = await verifySignature(token)
    if (typeof aud !== 'string' || aud !== config.PLATFORM_API_KEY)
      throw new SessionTokenError('other audience')
    const shopDomain = parseShopDomain(iss, config.PLATFORM_SHOP_DOMAIN_SUFFIX)
    if (!shopDomain) throw new SessionTokenError('issuer is not a shop')
    if (parseShopDomain(dest, config.PLATFORM_SHOP_DOMAIN_SUFFIX) !== shopDomain) {
      throw new SessionTokenError('destination is not the issuing shop')
    }
    if (typeof sub !== 'string' || !/^[\w.:@-]{1,100}$/.test(sub)) throw new SessionTokenError('no user')
    const claims = { shopDomain, userId: sub }
    const ttl = (exp + config.SESSION_TOKEN_LEEWAY_SECONDS) * 1000 - Date.now()
    if (ttl > 0) verified.set(token, claims, { ttl })
    return claims
  }
}
