import type { Config } from './config.ts'

/** Replaces every secret in a text. */
export type Scrub = (text: string) => string

const shapes = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*|(?<=\bBearer )[^\s"]+|(?<=:\/\/[^\s:/@"]+:)[^\s@"]+(?=@)/g

/**
 * Knows the secrets of this process by value (keys, tokens, passwords) and others by shape (session tokens,
 * bearer headers, passwords in addresses). Used for log lines and for errors that are stored.
 */
export function createScrub(config: Config): Scrub {
  const secrets = [
    config.PLATFORM_API_SECRET,
    config.PLATFORM_API_SECRET_PREVIOUS,
    config.POSTMARK_SERVER_TOKEN,
    ...config.TOKEN_ENCRYPTION_KEYS.split(','),
    decodeURIComponent(new URL(config.DATABASE_URL).password),
  ].filter((value): value is string => value !== undefined && value.length >= 6)
  return (text) =>
    secrets.reduce((rest, value) => rest.replaceAll(value, '[secret]'), text).replace(shapes, '[secret]')
}
