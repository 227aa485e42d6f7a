/** The platform refuses the shop's token: the app was uninstalled, or its access was revoked. */
export class TokenRevokedError extends Error {
  constructor() {
    super('The app no longer has access to this shop.')
    this.name = 'TokenRevokedError'
  }
}

/**
 * A request to the platform failed. The message holds no token. Kinds:
 *   unavailable                the platform cannot be reached or has an outage; a later retry may succeed
 *   throttled                  the rate limit requires a longer pause than one request may wait
 *   frozen, forbidden, locked  the platform refuses every request for this shop (402, 403, 423)
 *   access_denied              the app lacks the scope for this request
 *   rejected                   the platform refuses this request, or its response has an unknown shape
 * `isUnapplied`: the response says that the platform did not execute the request.
 */
export class PlatformError extends Error {
  readonly kind:
    | 'unavailable'
    | 'throttled'
    | 'frozen'
    | 'forbidden'
    | 'locked'
    | 'access_denied'
    | 'rejected'
  readonly isUnapplied: boolean

  constructor(kind: PlatformError['kind'], message: string, { isUnapplied = false } = {}) {
    super(message)
    this.name = 'PlatformError'
    this.kind = kind
    this.isUnapplied = isUnapplied
  }
}
