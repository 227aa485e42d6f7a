import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'

/** Whether the platform signed the content (HMAC-SHA256) with the current or the previous client secret. */
export type SignatureCheck = (
  content: Buffer | string,
  signature: string,
  encoding: 'base64' | 'hex',
) => boolean

export function createSignatureCheck(
  config: Pick<Config, 'PLATFORM_API_SECRET' | 'PLATFORM_API_SECRET_PREVIOUS'>,
): SignatureCheck {
  const secrets = [config.PLATFORM_API_SECRET, config.PLATFORM_API_SECRET_PREVIOUS].filter(
    (secret) => secret !== undefined,
  )
  return (content, signature, encoding) => {
    const given = Buffer.from(signature, encoding)
    // Decoding skips invalid characters, so the signature must be the exact encoding of its bytes.
    if (given.length !== 32 || given.toString(encoding) !== signature) return false
    return secrets.some((secret) =>
      timingSafeEqual(createHmac('sha256', secret).update(content).digest(), given),
    )
  }
}
