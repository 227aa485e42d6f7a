import { type Config, loadConfig, type Role } from './config.ts'
import { createLog, flushLog, type Log } from './telemetry/log.ts'
import { startTracing } from './telemetry/tracing.ts'

type ProcessOptions = {
  name: Role
  env: Readonly<Record<string, string | undefined>>
  /** Milliseconds. A slower stop ends the process with status 1. */
  stopWithinMs: number
}

/**
 * Starts a process and returns the function that stops it. `fail` ends it with status 1; the host then restarts it. `stopping` is aborted
 * by the first signal: a start that throws its reason is not stopped, and the process ends with status 0.
 */
export type Start = (
  config: Config,
  log: Log,
  fail: (reason: unknown) => never,
  stopping: AbortSignal,
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
  const stopping = new AbortController()
  const starting = start(config, log, fail, stopping.signal).catch((error: unknown) => {
    if (stopping.signal.aborted && error === stopping.signal.reason) return async () => {}
    return fail(error)
  })
  const stop = async (signal: string) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    log.info({ signal }, 'stopping')
    setTimeout(() => fail(new Error(`Not stopped within ${stopWithinMs} ms`)), stopWithinMs)
    await (await starting)()
    await stopTracing().catch((err: unknown) => log.warn({ err }, 'the last traces were not sent'))
    log.info('stopped')
    await flushLog(log)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal).catch(fail))
  await starting
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
