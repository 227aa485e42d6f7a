import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Each of these files runs in a separate process, because it measures its process or starts many others. */
export const aloneFiles = [
  'test/dev/start.test.ts',
  'test/faults/dev/start.test.ts',
  'test/shared/pdf/renderer-memory.test.ts',
  'test/api/http/limits.test.ts',
]

/** What `npm test` leaves out: `npm run test:web` and `npm run test:faults` run it. */
const others = ['test/web', 'test/faults']
/** What `npm test` runs of them: one browser flow for each area of the admin, and what tests the code of the admin in Node. */
const included = ['test/web/flows', 'test/web/node']

/** How long the files of a folder take about, until a run has measured them. The first folder that matches counts. */
const usualSeconds: [folder: string, seconds: number][] = [
  ['test/faults', 60],
  ['test/web/node', 2],
  ['test/web', 20],
  ['test/system', 20],
  ['test/dev', 10],
  ['test/worker', 5],
  ['test/api', 3],
  ['test', 1],
]

const isIn = (file: string, name: string) => file === name || file.startsWith(`${name}/`)
const isInOne = (file: string, names: readonly string[]) => names.some((name) => isIn(file, name))

/**
 * The test files in the named files and folders, in this order; without names those of `npm test`. Throws when a name matches no
 * file, so that a renamed test does not drop out of a command.
 */
export function findTests(root: string, names: readonly string[]): string[] {
  const files = globSync('test/**/*.test.ts', { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
  if (names.length === 0) return files.filter((file) => isInOne(file, included) || !isInOne(file, others))
  const chosen = names.map((name) => name.replace(/^\.\//, '').replace(/\/$/, ''))
  const unknown = chosen.filter((name) => !files.some((file) => isIn(file, name)))
  if (unknown.length > 0) throw new Error(`There is no test in ${unknown.join(', ')}`)
  return [...new Set(chosen.flatMap((name) => files.filter((file) => isIn(file, name))))]
}

export type Durations = {
  /** How long a file takes, as the last run has measured it, or about. */
  secondsOf: (file: string) => number
  /** Stores the measured seconds of files for the next run. */
  store: (measured: Record<string, number>) => void
}

/** The durations of the test files in the last runs, which `path` keeps. */
export function readDurations(path: string): Durations {
  const known = readStored(path)
  return {
    secondsOf: (file) => known[file] ?? usualSeconds.find(([folder]) => isIn(file, folder))?.[1] ?? 1,
    store(measured) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, JSON.stringify({ ...known, ...measured }))
    },
  }
}

function readStored(path: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // the first run, or one that was killed while it wrote
    return {}
  }
}

export const durationsFile = (root: string) => join(root, '.data/test/durations.json')

/**
 * Orders files for several processes: those that run alone come first, then the slowest, since a process that is alone at
 * the end uses one core.
 */
export function orderTests(files: readonly string[], { secondsOf }: Durations): string[] {
  const rank = (file: string) => (aloneFiles.includes(file) ? Number.POSITIVE_INFINITY : secondsOf(file))
  return files.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
}
