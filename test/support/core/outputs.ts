import { appendFileSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../../shared/config.ts'
import { createLog, type Log } from '../../../shared/telemetry/log.ts'
import { databasePassword, testAccessToken, testKeys } from './database.ts'

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

const { PLATFORM_API_KEY: _isPublic, ...keys } = testKeys

/** Secrets with a known value. Each is searched for verbatim, URL-encoded and in base64. */
const values: Record<string, string> = {
  ...keys,
  'an access token': testAccessToken,
  'the password of the database': databasePassword,
}

/** Secrets with a known pattern: tokens created by tests and the simulator, and secrets that tests plant. */
const patterns: Record<string, RegExp> = {
  'a session token': /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]+/,
  'a token of the simulator': /\b[ar]t_[0-9a-f]{32}\b/,
  'a planted secret': /planted-[\w-]+/,
}

const tests: [name: string, isIn: (text: string) => boolean][] = [
  ...Object.entries(values).map(([name, value]): (typeof tests)[number] => {
    const spellings = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]
    return [name, (text) => spellings.some((spelling) => text.includes(spelling))]
  }),
  ...Object.entries(patterns).map(([name, pattern]): (typeof tests)[number] => [
    name,
    (text) => pattern.test(text),
  ]),
]

/** The names of the secrets in a text. */
export function secretsIn(text: string): string[] {
  return tests.filter(([, isIn]) => isIn(text)).map(([name]) => name)
}

export type Leak = { file: string; secret: string; line: string }

/** The lines with a secret in all files of a folder. */
export function findLeaks(folder = outputFolder): Leak[] {
  return globSync('**/*.txt', { cwd: folder }).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line) => secretsIn(line).map((secret) => ({ file, secret, line: line.slice(0, 2_000) }))),
  )
}

/** Prints all leaks and returns the exit status. */
export function reportLeaks(folder?: string): 0 | 1 {
  const leaks = findLeaks(folder)
  for (const { file, secret, line } of leaks) console.error(`LEAK: ${secret} in ${file}: ${line}`)
  return leaks.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = reportLeaks(process.argv[2])
