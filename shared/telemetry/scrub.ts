import type { Config } from '../config.ts'

export type Scrub = (text: string) => string

/** Matches contain no quote or backslash, so the JSON stays valid. The patterns are bounded, so no input blocks the process. */
const secretPatterns = new RegExp(
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

/** Finds this process's secrets by value (plain, JSON-escaped, percent-encoded), others by pattern or field. */
export function createScrub(config: Config): Scrub {
  const secrets = [
    config.PLATFORM_API_SECRET,
    config.PLATFORM_API_SECRET_PREVIOUS,
    config.POSTMARK_SERVER_TOKEN,
    ...config.TOKEN_ENCRYPTION_KEYS.split(','),
    ...[config.DATABASE_URL, config.DATABASE_READ_URL ?? config.DATABASE_URL].map((url) =>
      decodeURIComponent(new URL(url).password),
    ),
  ].filter((value): value is string => value !== undefined && value.length >= 6)
  const spellings = new Set(
    secrets.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]),
  )
  return (text) =>
    [...spellings]
      .reduce((rest, value) => rest.replaceAll(value, '[secret]'), text)
      .replace(secretPatterns, '[secret]')
}
