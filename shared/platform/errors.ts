/** The platform takes the shop's token no more: the app was uninstalled, or its access withdrawn. */
export class TokenRevokedError extends Error {
  constructor() {
    super('The app has no access to this shop any more.')
    this.name = 'TokenRevokedError'
  }
}

/**
 * Why the platform gave no answer that can be used. Its text holds no token.
 *
 * - `unavailable`: it cannot be reached or has trouble of its own; asking later may help
 * - `throttled`: it wants a longer pause than one request is worth
 * - `frozen`, `forbidden`, `locked`: it serves nobody on behalf of this shop right now (402, 403, 423)
 * - `access_denied`: the app has not been granted what this asks for
 * - `rejected`: it does not take the request, or answers in a shape that we do not know
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

  constructor(kind: PlatformError['kind'], message: string) {
    super(message)
    this.name = 'PlatformError'
    this.kind = kind
  }
}
