import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'

/** Checks what the platform has signed with the client secret: the current one, or the one before it. */
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
    // decoding skips what is no digit, so the text itself has to be the spelling of those bytes
    if (given.length !== 32 || given.toString(encoding) !== signature) return false
    return secrets.some((secret) =>
      timingSafeEqual(createHmac('sha256', secret).update(content).digest(), given),
    )
  }
}
