import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `path` is a file or a folder of `test/`. */
type Exception = { path: string; why: string }

/** The files that may read the clock. The result of no test may depend on what they read. */
export const exceptions: readonly Exception[] = [
  { path: 'test/support/core/instants.ts', why: 'names instants around now for the records of tests' },
  {
    path: 'test/patterns.test.ts',
    why: 'chooses what gets its proof in a thread, and decides nothing by it',
  },
  { path: 'test/clocks.test.ts', why: 'breaks the rule once' },
  { path: 'test/run.ts', why: 'prints how long the run took' },
  { path: 'test/runner', why: 'measures the machine and prints how long files took' },
  {
    path: 'test/support/faults/faults.ts',
    why: 'measures the times that the long form compares with the promised ones',
  },
]

const clocks =
  /\b(?:performance\.now|Date\.now|new Date\(\)\.(?:getTime|valueOf)|process\.(?:hrtime|uptime|cpuUsage|threadCpuUsage|resourceUsage))\b/g

const advice =
  'a busy machine changes what it reads. Wait by `until`, count statements, rows or calls, or name an instant by test/support/core/instants.ts.'

/** Where a test (a path from the root with `/`) reads a clock, one sentence each. */
export function violationsOf(file: string, code: string): string[] {
  if (exceptions.some(({ path }) => file === path || file.startsWith(`${path}/`))) return []
  return [...code.matchAll(clocks)].map(({ 0: clock, index }) => {
    const line = code.slice(0, index).split('\n').length
    return `${file}:${line} reads ${clock}: ${advice}`
  })
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const violations = globSync('test/**/*.ts', { cwd: root }).flatMap((file) =>
    violationsOf(file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')),
  )
  for (const violation of violations) console.error(violation)
  if (violations.length > 0) process.exitCode = 1
}
