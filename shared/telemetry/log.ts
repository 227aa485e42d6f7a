import { setTimeout as sleep } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { Config } from '../config.ts'
import { createScrub } from './scrub.ts'

export type Log = Logger

/** Creates the log of a process: JSON lines in which every secret is replaced, by default on standard output. */
export function createLog(config: Config, processName: string, destination?: DestinationStream): Log {
  const options = {
    level: config.LOG_LEVEL,
    base: { process: processName, pid: process.pid },
    serializers: { err: describeError },
    redact: ['payload', 'headers', 'query', '*.payload', '*.headers', '*.query'],
    hooks: { streamWrite: createScrub(config) },
  }
  return pino(options, destination ?? pino.destination(processName === 'web' ? batches : singleLines))
}

/**
 * web writes its lines when there are 4 KB, or after 100 ms: a write for each line takes a tenth of the processor time of a small request.
 * A process that ends writes the rest first, unless it is killed.
 */
const batches = { minLength: 4_096, periodicFlush: 100 }
/** With a length of 0, a flush would not wait for the line that is being written. */
const singleLines = { minLength: 1 }

/**
 * Waits until all lines are written, at most a second, since their reader may have gone. The exit of a process does not wait for
 * the lines that Node is writing in another thread, and would write the others before them.
 */
export const flushLog = (log: Log): Promise<void> =>
  Promise.race([new Promise<void>((done) => log.flush(() => done())), sleep(1_000)])

/** Only an error's name, message, code and stack: libraries attach other fields, which may hold secrets. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const { type, message, stack } = stdSerializers.err(error)
  return { type, message, stack, code: 'code' in error ? error.code : undefined }
}
