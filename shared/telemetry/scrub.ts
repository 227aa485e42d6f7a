import type { Config } from '../config.ts'

/** Replaces every secret in a text. */
export type Scrub = (text: string) => string

/**
 * None of them takes a quote or a backslash, so that a line of JSON stays one. What they look ahead over is bounded:
 * a long text made for them would else hold up the process that logs it.
 */
const shapes = new RegExp(
  [
    /\beyJ[\w-]{5,500}\.[\w-]{1,16384}\.[\w-]*/, // a session token
    /(?<=\bBearer )[^\s"\\]+/,
    /(?<=:\/\/[^\s:/@"\\]{1,100}:)[^\s@"\\]{1,300}(?=@)/, // the password of an address
    /(?<=[\w/]\?)[\w.[\]%-]+=[^\s"\\]*/, // a query string
    /(?<="(?:authorization|[\w-]*access[-_]?token|[\w-]*refresh[-_]?token|client_?secret)\\*":\s*\\*")[^"\\]+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
)

/**
 * Knows the secrets of this process by value (keys, tokens, passwords), as they are and as JSON and addresses spell
 * them, and others by shape or name. Used for log lines and for errors that are stored.
 */
export function createScrub(config: Config): Scrub {
  const secrets = [
    config.PLATFORM_API_SECRET,
    config.PLATFORM_API_SECRET_PREVIOUS,
    config.POSTMARK_SERVER_TOKEN,
    ...config.TOKEN_ENCRYPTION_KEYS.split(','),
    decodeURIComponent(new URL(config.DATABASE_URL).password),
  ].filter((value): value is string => value !== undefined && value.length >= 6)
  const spellings = new Set(
    secrets.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]),
  )
  return (text) =>
    [...spellings]
      .reduce((rest, value) => rest.replaceAll(value, '[secret]'), text)
      .replace(shapes, '[secret]')
}
