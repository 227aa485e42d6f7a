import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Config } from './config.ts'

export type Subscription = { shopId: number; recipient: string }

export type UnsubscribeTokens = {
  /** The same subscription has the same token until the first key changes. */
  sign: (subscription: Subscription) => string
  /** Null unless a configured key signed the token. */
  read: (token: string) => Subscription | null
}

/**
 * Tokens of the links in digests: they need no session, do not expire and name one recipient of one shop, so a token can do
 * nothing else. Signed by HMAC-SHA-256 with a key that is derived from the first of TOKEN_ENCRYPTION_KEYS; every key verifies.
 * The installation (`shopId`) is part of it: after a reinstall the old links change nothing.
 */
export function createUnsubscribeTokens({
  TOKEN_ENCRYPTION_KEYS: keys,
}: Pick<Config, 'TOKEN_ENCRYPTION_KEYS'>): UnsubscribeTokens {
  const derived = keys
    .split(',')
    .map((key) => Buffer.from(hkdfSync('sha256', Buffer.from(key, 'base64'), '', 'unsubscribe:v1', 32)))
  const [first] = derived
  if (!first) throw new Error('TOKEN_ENCRYPTION_KEYS has no key')
  const macOf = (key: Buffer, payload: string) => createHmac('sha256', key).update(payload).digest()

  return {
    sign({ shopId, recipient }) {
      const payload = Buffer.from(JSON.stringify([shopId, recipient])).toString('base64url')
      return `${payload}.${macOf(first, payload).toString('base64url')}`
    },
    read(token) {
      const [payload = '', signature = '', ...others] = token.split('.')
      const given = Buffer.from(signature, 'base64url')
      const isSigned = derived.some((key) => {
        const expected = macOf(key, payload)
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
      if (!isSigned || others.length > 0) return null
      const [shopId, recipient]: [number, string] = JSON.parse(Buffer.from(payload, 'base64url').toString())
      return { shopId, recipient }
    },
  }
}
