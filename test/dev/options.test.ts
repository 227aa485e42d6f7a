import { createServer } from 'node:net'
import t from 'tap'
import { makeEnvironment } from '../../dev/environment.ts'
import { readOptions } from '../../dev/options.ts'
import { choosePort } from '../../dev/processes/ports.ts'
import { loadConfig } from '../../shared/config.ts'

t.test('by default the data is in .data and the ports are 3000 and 3001', async (t) => {
  t.match(readOptions([], {}), { dataDir: /\/\.data$/, webPort: 3000, simulatorPort: 3001, isReset: false })
  t.match(readOptions(['--reset', '--verbose', '--data', '/tmp/x'], { PORT: '0', SIMULATOR_PORT: '5' }), {
    dataDir: '/tmp/x',
    webPort: 0,
    simulatorPort: 5,
    isReset: true,
    isVerbose: true,
  })
  t.equal(readOptions(['--help'], {}), 'help')
})

t.test('unknown and invalid options are refused', async (t) => {
  for (const args of [['--nonsense'], ['word'], ['--data'], ['--data', '']])
    t.throws(() => readOptions(args, {}))
  for (const PORT of ['x', '-1', '65536', '3001']) t.throws(() => readOptions([], { PORT }))
})

t.test('choosePort returns a free port, or its error says how to choose another', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((listening) => server.once('listening', listening))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  await t.rejects(choosePort(port, 'SIMULATOR_PORT'), new RegExp(`Port ${port} is in use.*SIMULATOR_PORT=`))
  t.ok((await choosePort(0, 'PORT')) > 0)
})

t.test(
  'the environment of the processes is complete and excludes other settings of the developer',
  async (t) => {
    const secrets = {
      PLATFORM_API_KEY: 'key',
      PLATFORM_API_SECRET: 'secret',
      TOKEN_ENCRYPTION_KEYS: Buffer.alloc(32).toString('base64'),
      POSTMARK_SERVER_TOKEN: 'token',
    }
    const inherited = {
      PATH: '/bin',
      PGSSLMODE: 'require',
      DATABASE_SSL: 'verify',
      DATABASE_URL: 'postgres://production/db',
      PLATFORM: 'shopify',
      POSTMARK_SERVER_TOKEN: 'production',
      WORKER_CONCURRENCY: '2',
    }
    const addresses = {
      databaseUrl: 'postgres://quartermaster@127.0.0.1:5432/quartermaster',
      webPort: 3000,
      webUrl: 'http://localhost:3000',
      simulatorUrl: 'http://127.0.0.1:3001',
    }
    const env = makeEnvironment(inherited, addresses, secrets, false)
    t.match(env, { PATH: '/bin', PGSSLMODE: undefined, DATABASE_SSL: undefined, LOG_LEVEL: 'warn' })
    t.match(loadConfig(env, 'worker'), {
      ...secrets,
      DATABASE_URL: addresses.databaseUrl,
      HOST: '127.0.0.1',
      PLATFORM: 'neutral',
      POSTMARK_API_URL: addresses.simulatorUrl,
      WORKER_CONCURRENCY: 2,
    })
  },
)
