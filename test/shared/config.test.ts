import t from 'tap'
import { databaseAddress, loadConfig, withSessionSettings } from '../../shared/config.ts'
import { presets } from '../../shared/platform/presets.ts'

const key = Buffer.alloc(32, 1).toString('base64')

/** The variables that every process requires. */
const required = {
  DATABASE_URL: 'postgres://app:database-password@db.example.com/quartermaster',
  APP_URL: 'https://app.example.com',
  PLATFORM_API_KEY: 'the-api-key',
  PLATFORM_API_SECRET: 'the-api-secret',
  TOKEN_ENCRYPTION_KEYS: key,
}

const errorMessage = (env: Record<string, string>, role?: 'web' | 'worker'): string => {
  try {
    loadConfig(env, role)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

/** The variables that an error message names: one on each line, before its rule. */
const namedIn = (message: string) => [...message.matchAll(/^ {2}([A-Z_]+) must /gm)].map(([, name]) => name)

t.test('every other variable has a default', async (t) => {
  t.strictSame(loadConfig(required), {
    ...required,
    ...presets.neutral.variables,
    PORT: 3000,
    HOST: '0.0.0.0',
    PLATFORM: 'neutral',
    PLATFORM_SCOPES: 'read_products,read_inventory,write_inventory,read_locations,read_orders',
    POSTMARK_API_URL: 'https://api.postmarkapp.com',
    WORKER_CONCURRENCY: 10,
    WEB_POOL_SIZE: 4,
    WORKER_POOL_SIZE: 5,
    SESSION_TOKEN_LEEWAY_SECONDS: 10,
    RATE_LIMIT_PER_MINUTE: 1200,
    FAILED_ATTEMPTS_PER_MINUTE: 120,
    TRUSTED_PROXIES: 'loopback,linklocal,uniquelocal',
    MAX_EVENT_LOOP_DELAY_MS: 500,
    LOG_LEVEL: 'info',
  })
})

t.test('a platform preset sets variables, and the environment overrides each', async (t) => {
  const neutral = loadConfig({ ...required, PLATFORM: 'neutral' })
  t.match(neutral, presets.neutral.variables)
  t.equal(neutral.PLATFORM_SHOP_DOMAIN_SUFFIX, '.myshop.example')

  const shopify = loadConfig({ ...required, PLATFORM: 'shopify' })
  t.match(shopify, presets.shopify.variables)
  t.equal(shopify.PLATFORM_SHOP_DOMAIN_SUFFIX, '.myshopify.com')

  const suffix = '.shops.example.com'
  t.equal(
    loadConfig({ ...required, PLATFORM_SHOP_DOMAIN_SUFFIX: suffix }).PLATFORM_SHOP_DOMAIN_SUFFIX,
    suffix,
  )
})

t.test('the configuration omits unknown variables and is frozen', async (t) => {
  const config = loadConfig({ ...required, PATH: '/usr/bin', HOME: '/root' })
  t.notOk('PATH' in config)
  t.ok(Object.isFrozen(config))
})

t.test('one error names every bad variable and no value', async (t) => {
  const bad = {
    DATABASE_URL: 'mysql://wrong-database',
    PORT: 'wrong-port',
    APP_URL: 'https://wrong-origin.example/',
    PLATFORM: 'wrong-platform',
    PLATFORM_SCOPES: 'Wrong Scopes',
    PLATFORM_SHOP_DOMAIN_SUFFIX: 'wrong-suffix',
    PLATFORM_SHOP_AUTH_URL: 'wrong-auth',
    PLATFORM_GRAPHQL_URL: 'wrong-graphql',
    PLATFORM_ADMIN_APP_URL: 'wrong-admin',
    PLATFORM_FRAME_ANCESTORS: 'wrong-ancestors',
    PLATFORM_APP_BRIDGE_URL: 'wrong-bridge',
    PLATFORM_PICTURE_ORIGINS: 'http://wrong-pictures.example',
    TOKEN_ENCRYPTION_KEYS: `${key},wrong-key`,
    MAIL_FROM: 'wrong-sender',
    POSTMARK_API_URL: 'wrong-mail',
    WORKER_CONCURRENCY: '0',
    WEB_POOL_SIZE: '1.5',
    WORKER_POOL_SIZE: '3',
    DATABASE_SSL: 'wrong-ssl',
    SESSION_TOKEN_LEEWAY_SECONDS: '-1',
    RATE_LIMIT_PER_MINUTE: '1e3',
    FAILED_ATTEMPTS_PER_MINUTE: '0',
    TRUSTED_PROXIES: 'loopback,wrong-proxy',
    MAX_EVENT_LOOP_DELAY_MS: '49',
    LOG_LEVEL: 'wrong-level',
  }
  const message = errorMessage({ ...required, ...bad })
  t.strictSame(namedIn(message), Object.keys(bad))
  t.notMatch(message, /wrong/i)
  t.notMatch(message, key)
})

t.test('an error names a missing variable with its rule', async (t) => {
  t.strictSame(namedIn(errorMessage({})), Object.keys(required))
  for (const name of Object.keys(required)) {
    t.strictSame(
      namedIn(errorMessage({ ...required, [name]: '' })),
      [name],
      'an empty variable counts as missing',
    )
  }
})

t.test('an empty optional variable counts as unset', async (t) => {
  const config = loadConfig({ ...required, PORT: '', PLATFORM: '', PLATFORM_API_SECRET_PREVIOUS: '' })
  t.equal(config.PORT, 3000)
  t.equal(config.PLATFORM, 'neutral')
  t.notOk('PLATFORM_API_SECRET_PREVIOUS' in config)
})

t.test('only the worker requires the mail variables', async (t) => {
  t.equal(errorMessage(required, 'web'), '')
  t.strictSame(namedIn(errorMessage(required, 'worker')), ['POSTMARK_SERVER_TOKEN', 'MAIL_FROM'])
  const mail = { POSTMARK_SERVER_TOKEN: 'server-token', MAIL_FROM: 'Orders <orders@example.com>' }
  t.equal(errorMessage({ ...required, ...mail }, 'worker'), '')
  t.strictSame(namedIn(errorMessage({ ...required, ...mail, MAIL_FROM: '' }, 'worker')), ['MAIL_FROM'])
})

t.test('the configuration accepts several encryption keys', async (t) => {
  const keys = `${key},${Buffer.alloc(32, 2).toString('base64')}`
  t.equal(loadConfig({ ...required, TOKEN_ENCRYPTION_KEYS: keys }).TOKEN_ENCRYPTION_KEYS, keys)
  for (const bad of [Buffer.alloc(31).toString('base64'), `${key},`, `${key} ,${key}`, 'x'.repeat(44)]) {
    t.strictSame(namedIn(errorMessage({ ...required, TOKEN_ENCRYPTION_KEYS: bad })), [
      'TOKEN_ENCRYPTION_KEYS',
    ])
  }
})

t.test('TLS to Postgres is verified unless the address or DATABASE_SSL turns it off', async (t) => {
  const remote = 'postgres://app:password@db.example.com/quartermaster'
  const verified = { rejectUnauthorized: true }
  const unverified = { rejectUnauthorized: false }
  const cases = [
    { url: remote, ssl: verified },
    { url: `${remote}?sslmode=require`, ssl: verified },
    { url: `${remote}?sslmode=verify-full`, ssl: verified },
    { url: `${remote}?sslmode=no-verify`, ssl: unverified },
    { url: `${remote}?sslmode=disable`, ssl: false },
    { url: remote, mode: 'no-verify', ssl: unverified },
    { url: remote, mode: 'off', ssl: false },
    { url: `${remote}?sslmode=disable`, mode: 'verify', ssl: verified },
    { url: 'postgres://app@localhost/quartermaster', ssl: false },
    { url: 'postgres://app@127.0.0.1:5433/quartermaster', ssl: false },
    { url: 'postgres://app@[::1]/quartermaster', ssl: false },
    { url: 'postgres://app@localhost/quartermaster', mode: 'verify', ssl: verified },
    { url: 'postgres://app@localhost.example.com/quartermaster', ssl: verified },
    { url: 'postgres://app@127.example.com/quartermaster', ssl: verified },
    { url: 'postgres://app@localhost/quartermaster?host=db.example.com', ssl: verified },
  ] as const
  for (const { url, ssl, ...rest } of cases) {
    const mode = 'mode' in rest ? rest.mode : undefined
    const address = databaseAddress({ DATABASE_URL: url, ...(mode && { DATABASE_SSL: mode }) })
    t.strictSame(address.ssl, ssl, `${url} ${mode ?? ''}`)
    t.notMatch(address.url, 'sslmode', 'the driver gets TLS options instead of sslmode')
  }
  const { url } = databaseAddress({ DATABASE_URL: `${remote}?sslmode=disable&application_name=web` })
  t.equal(url, `${remote}?application_name=web&options=-c+jit%3Doff`)
})

t.test('a session turns JIT off, after the options of the address', (t) => {
  const address = databaseAddress({
    DATABASE_URL: 'postgres://me@localhost/shop?options=-c%20work_mem%3D8MB',
  })
  t.equal(new URL(address.url).searchParams.get('options'), '-c work_mem=8MB -c jit=off')
  const { url } = withSessionSettings(address, { synchronous_commit: 'off' })
  t.equal(new URL(url).searchParams.get('options'), '-c work_mem=8MB -c jit=off -c synchronous_commit=off')
  t.end()
})

t.test(
  'an error names the variable of an invalid address and prints neither address nor password',
  async (t) => {
    const addresses = ['db.example:54x2/qm', 'db.example:99999/qm', '[::1/qm', 'db.example/qm%']
    for (const rest of addresses) {
      const env = { ...required, DATABASE_URL: `postgres://app:wrong%pass@${rest}` }
      const message = errorMessage(env)
      t.strictSame(namedIn(message), ['DATABASE_URL'], rest)
      t.notMatch(message, 'wrong')
    }
    const broken = {
      APP_URL: 'https://wrong:name',
      POSTMARK_API_URL: 'http://[wrong',
      PLATFORM_GRAPHQL_URL: 'https://wrong:x/',
    }
    t.strictSame(namedIn(errorMessage({ ...required, ...broken })).sort(), Object.keys(broken).sort())
  },
)
