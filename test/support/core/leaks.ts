import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { databasePassword, testAccessToken, testKeys } from './database.ts'
import { outputFolder } from './outputs.ts'

const { PLATFORM_API_KEY: _isPublic, ...keys } = testKeys

/** By value, however it is spelled: as it is, in an address, and as basic authentication has it. */
const values: Record<string, string> = {
  ...keys,
  'an access token': testAccessToken,
  'the password of the database': databasePassword,
}

/** By shape: what tests and the simulator make anew each time, and what tests plant in places of their own. */
const shapes: Record<string, RegExp> = {
  'a session token': /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]+/,
  'a token of the simulator': /\b[ar]t_[0-9a-f]{32}\b/,
  'a planted secret': /planted-[\w-]+/,
}

const tests: [name: string, isIn: (text: string) => boolean][] = [
  ...Object.entries(values).map(([name, value]): (typeof tests)[number] => {
    const spellings = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]
    return [name, (text) => spellings.some((spelling) => text.includes(spelling))]
  }),
  ...Object.entries(shapes).map(([name, shape]): (typeof tests)[number] => [
    name,
    (text) => shape.test(text),
  ]),
]

/** The names of the secrets that stand in a text. */
export function secretsIn(text: string): string[] {
  return tests.filter(([, isIn]) => isIn(text)).map(([name]) => name)
}

export type Leak = { file: string; secret: string; line: string }

/** Every line of the files of a folder that holds a secret. */
export function findLeaks(folder = outputFolder): Leak[] {
  return globSync('**/*.txt', { cwd: folder }).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line) => secretsIn(line).map((secret) => ({ file, secret, line: line.slice(0, 2_000) }))),
  )
}

/** Tells people of every leak, and answers the status to end with. */
export function reportLeaks(folder?: string): 0 | 1 {
  const leaks = findLeaks(folder)
  for (const { file, secret, line } of leaks) console.error(`LEAK: ${secret} in ${file}: ${line}`)
  return leaks.length > 0 ? 1 : 0
}

if (import.meta.main) process.exitCode = reportLeaks(process.argv[2])
