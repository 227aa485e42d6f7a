import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../../shared/config.ts'
import { createLog, type Log } from '../../../shared/telemetry/log.ts'

/** The recorded output of the code under test; `after-tests.ts` searches it for secrets. */
export const outputFolder = fileURLToPath(new URL('../../../.data/test/outputs/', import.meta.url))

/** One file per test process, to avoid concurrent writes. */
export const outputFile = `${outputFolder}${process.pid}.txt`

export function recordOutput(text: string | Buffer): void {
  mkdirSync(outputFolder, { recursive: true })
  appendFileSync(outputFile, text)
}

/** A log at trace level that is recorded and not printed. */
export function recordedLog(config: Config, processName: 'web' | 'worker'): Log {
  return createLog({ ...config, LOG_LEVEL: 'trace' }, processName, { write: recordOutput })
}
