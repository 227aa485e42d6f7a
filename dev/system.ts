import { buildAdmin, isBuildNeeded } from './build.ts'
import { mailFolder, platformFolder } from './data-folder.ts'
import { seedDemoShop } from './demo/demo-shop.ts'
import type { Welcome } from './demo/welcome.ts'
import { makeEnvironment } from './environment.ts'
import type { StartOptions } from './options.ts'
import { startDatabase } from './postgres/database.ts'
import { watchPostgres } from './postgres/watch.ts'
import type { LogView } from './processes/child-log.ts'
import { type Children, createChildren } from './processes/children.ts'
import { choosePort } from './processes/ports.ts'
import { untilReady } from './processes/ready.ts'
import { claimFolder } from './processes/run-file.ts'
import { loadSecrets } from './secrets.ts'
import type { PlatformOptions } from './simulator/options.ts'
import { startPlatform } from './simulator/server.ts'

export type System = {
  /** Starts the parts in order. Throws a message for the user when one does not start. */
  start: (signal: AbortSignal) => Promise<Welcome>
  /** Stops all started parts in reverse order, even when some fail. */
  stop: () => Promise<void>
  /** Stops everything without waiting for work in progress. */
  kill: () => Promise<void>
}

/** Longer than web and worker take to finish their work in progress. */
const stopTimeoutMs = 25_000

/** The whole of Quartermaster on this machine: Postgres, simulator, web and worker. */
export function createSystem(
  options: StartOptions,
  view: LogView,
  platformOptions: Pick<PlatformOptions, 'throttle'> = {},
): System {
  const { dataDir, isVerbose } = options
  const started = new AsyncDisposableStack()
  let children: Children | undefined
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= started.disposeAsync()
    return stopped
  }

  async function start(signal: AbortSignal): Promise<Welcome> {
    const runFile = await claimFolder(dataDir)
    started.defer(runFile.remove)
    if (await isBuildNeeded()) {
      view.write('Building the admin')
      await buildAdmin()
    }
    const webPort = await choosePort(options.webPort, 'PORT')
    const simulatorPort = await choosePort(options.simulatorPort, 'SIMULATOR_PORT')
    signal.throwIfAborted()

    const secrets = await loadSecrets(dataDir)
    const { databaseUrl, ...postgres } = await startDatabase(dataDir)
    started.defer(() => postgres.stop())
    started.defer(watchPostgres(postgres, view.write))
    signal.throwIfAborted()

    const webUrl = `http://localhost:${webPort}`
    const platform = await startPlatform({
      port: simulatorPort,
      apiKey: secrets.PLATFORM_API_KEY,
      apiSecret: secrets.PLATFORM_API_SECRET,
      serverToken: secrets.POSTMARK_SERVER_TOKEN,
      mailFolder: mailFolder(dataDir),
      dataFolder: platformFolder(dataDir),
      appUrl: webUrl,
      ...platformOptions,
    })
    started.defer(platform.close)
    signal.throwIfAborted()

    const simulatorUrl = `http://localhost:${platform.port}`
    const addresses = { databaseUrl, webPort, webUrl, simulatorUrl }
    const env = makeEnvironment(process.env, addresses, secrets, isVerbose)
    const processes = createChildren(view, runFile.setChildren)
    children = processes
    started.defer(() => processes.stop(stopTimeoutMs))
    await processes.run({ name: 'migrate', file: 'db/migrate.ts', env })
    signal.throwIfAborted()
    processes.supervise({ name: 'web', file: 'api/server.ts', env })
    processes.supervise({ name: 'worker', file: 'worker/main.ts', env })
    await untilReady(`${webUrl}/readyz`, signal, () => processes.exits('web') >= 3)
    const shop = await seedDemoShop({ databaseUrl, webUrl, simulatorUrl, secrets })
    return { webUrl, simulatorUrl, ...shop }
  }

  return {
    start,
    stop,
    async kill() {
      children?.kill()
      await stop()
    },
  }
}
