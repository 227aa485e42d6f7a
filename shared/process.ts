import { type Config, loadConfig, type Role } from './config.ts'
import { createLog, flushLog, type Log } from './telemetry/log.ts'
import { startTracing } from './telemetry/tracing.ts'

type ProcessOptions = {
  name: Role
  env: Readonly<Record<string, string | undefined>>
  /** Milliseconds. A slower stop ends the process with status 1. */
  stopWithinMs: number
}

/** Starts a process and returns the function that stops it. `fail` ends it with status 1; the host then restarts it. */
export type Start = (
  config: Config,
  log: Log,
  fail: (reason: unknown) => never,
) => Promise<() => Promise<void>>

/** Stops with status 0 on the first SIGTERM or SIGINT (hosts send several); an error is logged: status 1. */
export async function runProcess({ name, env, stopWithinMs }: ProcessOptions, start: Start): Promise<void> {
  const config = readConfig(env, name)
  const log = createLog(config, name)
  const fail = (err: unknown): never => {
    log.fatal({ err }, 'process failed')
    process.exit(1)
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)

  const stopTracing = await startTracing(config, name)
  const starting = start(config, log, fail)
  let isStopping = false
  const stop = async (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => fail(new Error(`Not stopped within ${stopWithinMs} ms`)), stopWithinMs)
    await (await starting)()
    await stopTracing().catch((err: unknown) => log.warn({ err }, 'the last traces were not sent'))
    log.info('stopped')
    await flushLog(log)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal).catch(fail))
  await starting.catch(fail)
}

/** Reads the environment. If it is invalid, prints all faults without a stack and exits with status 1. */
export function readConfig(env: ProcessOptions['env'], role: Role): Config {
  try {
    return loadConfig(env, role)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  }
}
