import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../../shared/config.ts'
import { createLog, type Log } from '../../../shared/telemetry/log.ts'

/** What the code under test has written since the tests began; `after-tests.ts` looks for secrets in it. */
export const outputFolder = fileURLToPath(new URL('../../../.data/test/outputs/', import.meta.url))

/** One file per test process, so that nobody waits for another. */
export const outputFile = `${outputFolder}${process.pid}.txt`

export function keepOutput(text: string | Buffer): void {
  mkdirSync(outputFolder, { recursive: true })
  appendFileSync(outputFile, text)
}

/** The log of a process at its most talkative: kept, and shown to nobody. */
export function keptLog(config: Config, processName: 'web' | 'worker'): Log {
  return createLog({ ...config, LOG_LEVEL: 'trace' }, processName, { write: keepOutput })
}
