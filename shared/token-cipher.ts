import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { Config } from './config.ts'

type Key = { id: string; bytes: Buffer }

/** Encrypts (`seal`) a shop's access token for storage, and decrypts (`open`) it. */
export type TokenCipher = {
  seal: (token: string, shopDomain: string) => string
  /** Throws unless the text was sealed for this shop with a configured key. */
  open: (sealed: string, shopDomain: string) => string
  canOpen: (sealed: string, shopDomain: string) => boolean
  /** Whether the text was sealed with the first key. If not, the caller seals the token again. */
  isCurrent: (sealed: string) => boolean
}

/**
 * AES-256-GCM (section "Installation flow" of the specification) with a random 96-bit nonce and the full 16-byte
 * tag. The shop's domain is additional authenticated data: a sealed token that is copied to another shop's row does
 * not open. The first key of TOKEN_ENCRYPTION_KEYS seals; every key opens.
 */
export function createTokenCipher(config: Pick<Config, 'TOKEN_ENCRYPTION_KEYS'>): TokenCipher {
  const keys = config.TOKEN_ENCRYPTION_KEYS.split(',').map(readKey)
  const [first] = keys
  if (!first) throw new Error('TOKEN_ENCRYPTION_KEYS has no key')

  function open(text: string, shopDomain: string): string {
    const [version, keyId, nonce = '', tag = '', sealed = ''] = text.split(':')
    const key = keys.find((candidate) => candidate.id === keyId)
    if (version !== 'v1' || !key) throw new Error('The token was sealed by a key that is not configured')
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, Buffer.from(nonce, 'base64url'), {
      authTagLength: 16,
    })
      .setAAD(aad(key, shopDomain))
      .setAuthTag(Buffer.from(tag, 'base64url'))
    return Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString(
      'utf8',
    )
  }

  return {
    open,
    canOpen(text, shopDomain) {
      try {
        open(text, shopDomain)
        return true
      } catch {
        return false
      }
    },
    seal(token, shopDomain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', first.bytes, nonce, { authTagLength: 16 }).setAAD(
        aad(first, shopDomain),
      )
      const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
      return [
        'v1',
        first.id,
        ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')),
      ].join(':')
    },
    isCurrent: (text) => text.split(':')[1] === first.id,
  }
}

function readKey(text: string): Key {
  const bytes = Buffer.from(text, 'base64')
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

function aad(key: Key, shopDomain: string): Buffer {
  return Buffer.from(`access-token:${key.id}:${shopDomain}`)
}
