import { FormatRegistry, type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import ipaddr from 'ipaddr.js'
import { fromText } from './from-text.ts'
import { presets } from './platform/presets.ts'

// Parses the address here, because an uncaught error of `new URL` would print the password.
FormatRegistry.Set(
  'postgres-address',
  (text) => /^postgres(ql)?:\/\/\S+$/.test(text) && hasReadablePassword(text),
)
FormatRegistry.Set('web-address', (text) => /^https?:\/\/\S+$/.test(text) && URL.canParse(withShop(text)))
FormatRegistry.Set('web-origin', (text) => /^https?:\/\/[^/\s]+$/.test(text) && URL.canParse(text))

const networkNames = new Set(['loopback', 'linklocal', 'uniquelocal'])
FormatRegistry.Set('proxies', (text) =>
  text
    .split(',')
    .map((name) => name.trim())
    .every((name) => networkNames.has(name) || ipaddr.isValid(name) || ipaddr.isValidCIDR(name)),
)

function hasReadablePassword(address: string): boolean {
  try {
    decodeURIComponent(new URL(address).password)
    return true
  } catch {
    return false
  }
}

const withShop = (template: string) => template.replaceAll('{shop_domain}', 'shop.example')

const secret = (rule = 'must be set') => Type.String({ minLength: 1, rule })
const url = () => Type.String({ format: 'web-address', rule: 'must be a URL' })
const count = (byDefault: number, minimum: number, maximum: number) =>
  Type.Integer({
    default: byDefault,
    minimum,
    maximum,
    rule: `must be a whole number from ${minimum} to ${maximum}`,
  })

/** All environment variables, in the order of `.env.example`. `rule` is the error text for a bad value. */
export const Environment = Type.Object({
  DATABASE_URL: Type.String({
    format: 'postgres-address',
    rule: 'must be a postgres:// URL with a percent-encoded password',
  }),
  DATABASE_READ_URL: Type.Optional(
    Type.String({
      format: 'postgres-address',
      rule: 'must be a postgres:// URL with a percent-encoded password',
    }),
  ),
  PORT: count(3000, 0, 65_535),
  HOST: Type.String({ default: '0.0.0.0', minLength: 1, rule: 'must be an address to listen on' }),
  METRICS_PORT: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 65_535, rule: 'must be a whole number from 0 to 65535' }),
  ),
  APP_URL: Type.String({
    format: 'web-origin',
    rule: 'must be a public origin without a trailing slash',
  }),
  PLATFORM: Type.Union([Type.Literal('neutral'), Type.Literal('shopify')], {
    default: 'neutral',
    rule: 'must be neutral or shopify',
  }),
  PLATFORM_API_KEY: secret(),
  PLATFORM_API_SECRET: secret(),
  PLATFORM_API_SECRET_PREVIOUS: Type.Optional(secret()),
  PLATFORM_SCOPES: Type.String({
    default: 'read_products,read_inventory,write_inventory,read_locations,read_orders',
    pattern: '^[a-z_]+(,[a-z_]+)*$',
    rule: 'must be scopes, separated by commas',
  }),
  PLATFORM_SHOP_DOMAIN_SUFFIX: Type.String({
    pattern: '^\\.[a-z0-9.-]*[a-z0-9]$',
    rule: 'must be a lower-case domain that begins with a dot',
  }),
  PLATFORM_SHOP_AUTH_URL: url(),
  PLATFORM_GRAPHQL_URL: url(),
  PLATFORM_ADMIN_APP_URL: url(),
  PLATFORM_FRAME_ANCESTORS: Type.String({
    pattern: '^https?://\\S+( https?://\\S+)*$',
    rule: 'must be origins, separated by spaces',
  }),
  PLATFORM_APP_BRIDGE_URL: url(),
  PLATFORM_PICTURE_ORIGINS: Type.String({
    pattern:
      '^(https://[^\\s/]+|http://(localhost|127\\.0\\.0\\.1):\\d+)( (https://[^\\s/]+|http://(localhost|127\\.0\\.0\\.1):\\d+))*$',
    rule: 'must be https origins, or http on this machine, separated by spaces',
  }),
  TOKEN_ENCRYPTION_KEYS: Type.String({
    pattern: '^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$',
    rule: 'must be 32 bytes in base64, or several such keys separated by commas',
  }),
  POSTMARK_SERVER_TOKEN: Type.Optional(secret('must be set for the worker')),
  MAIL_FROM: Type.Optional(
    Type.String({
      pattern: '^([^<>@\\r\\n]*<[^\\s<>@]+@[^\\s<>@]+>|[^\\s<>@]+@[^\\s<>@]+)$',
      rule: 'must be an e-mail address, as in Name <orders@example.com>; the worker needs it',
    }),
  ),
  POSTMARK_API_URL: Type.String({
    default: 'https://api.postmarkapp.com',
    format: 'web-origin',
    rule: 'must be an origin without a trailing slash',
  }),
  WORKER_CONCURRENCY: count(10, 1, 100),
  WEB_POOL_SIZE: count(4, 1, 100),
  WORKER_POOL_SIZE: count(5, 4, 100),
  DATABASE_SSL: Type.Optional(
    Type.Union([Type.Literal('verify'), Type.Literal('no-verify'), Type.Literal('off')], {
      rule: 'must be verify, no-verify or off',
    }),
  ),
  SESSION_TOKEN_LEEWAY_SECONDS: count(10, 0, 300),
  RATE_LIMIT_PER_MINUTE: count(1200, 1, 1_000_000),
  FAILED_ATTEMPTS_PER_MINUTE: count(120, 1, 1_000_000),
  TRUSTED_PROXIES: Type.String({
    default: 'loopback,linklocal,uniquelocal',
    format: 'proxies',
    rule: 'must be loopback, linklocal, uniquelocal, or addresses such as 203.0.113.0/24, separated by commas',
  }),
  MAX_EVENT_LOOP_DELAY_MS: count(500, 50, 600_000),
  MEMORY_LIMIT_MB: Type.Optional(
    Type.Integer({
      minimum: 64,
      maximum: 1_048_576,
      rule: 'must be a whole number from 64 to 1048576',
    }),
  ),
  UNSIGNED_BODIES_MB: Type.Optional(
    Type.Integer({ minimum: 8, maximum: 4096, rule: 'must be a whole number from 8 to 4096' }),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(url()),
  LOG_LEVEL: Type.Union(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => Type.Literal(level)),
    { default: 'info', rule: 'must be fatal, error, warn, info, debug, trace or silent' },
  ),
})

export type Config = Readonly<Static<typeof Environment>>

/** Only the worker needs the mail settings. */
export type Role = 'web' | 'worker'

/** Throws one error that lists every bad variable with its rule, and never a value. Empty means not set. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, role: Role = 'web'): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const preset = given.PLATFORM === 'shopify' ? presets.shopify : presets.neutral
  const known = Value.Clean(Environment, { ...preset.variables, ...given })
  const candidate = Value.Default(Environment, fromText(Environment, known))
  const bad = new Set([...Value.Errors(Environment, candidate)].map((error) => error.path.slice(1)))
  if (role === 'worker') {
    for (const name of ['POSTMARK_SERVER_TOKEN', 'MAIL_FROM']) if (!given[name]) bad.add(name)
  }
  if (bad.size === 0) return Object.freeze(candidate as Config)
  const faults = Object.entries<TSchema>(Environment.properties).filter(([name]) => bad.has(name))
  throw new Error(`Invalid environment:\n${faults.map(([name, { rule }]) => `  ${name} ${rule}`).join('\n')}`)
}

/** A Postgres address that holds the start-up options of its sessions but no `sslmode`, and the TLS settings. */
export type DatabaseAddress = { url: string; ssl: false | { rejectUnauthorized: boolean } }

/** DATABASE_SSL, else `sslmode`, else the host decides about TLS (docs/decisions/operations.md). */
export function databaseAddress(config: Pick<Config, 'DATABASE_URL' | 'DATABASE_SSL'>): DatabaseAddress {
  const url = new URL(config.DATABASE_URL)
  const mode =
    config.DATABASE_SSL ??
    url.searchParams.get('sslmode') ??
    (isLocal(url.searchParams.get('host') ?? url.hostname) ? 'off' : 'verify')
  url.searchParams.delete('sslmode')
  const ssl = mode === 'off' || mode === 'disable' ? false : { rejectUnauthorized: mode !== 'no-verify' }
  return withSessionSettings({ url: url.href, ssl }, sessionSettings)
}

/** With `jit`, Postgres compiles a statement with a high estimated cost, which takes about 0.25 s. */
export const sessionSettings = { jit: 'off' } as const

/** Appends start-up options to the address, one `-c name=value` for each setting. Existing options stay. */
export function withSessionSettings(
  { url, ssl }: DatabaseAddress,
  settings: Readonly<Record<string, string>>,
): DatabaseAddress {
  const withOptions = new URL(url)
  const given = withOptions.searchParams.get('options') ?? ''
  const added = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  withOptions.searchParams.set('options', [given, ...added].join(' ').trim())
  return { url: withOptions.href, ssl }
}

function isLocal(host: string): boolean {
  return host === '' || host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
