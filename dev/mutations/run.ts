import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeTemporaryFolder } from '../../test/support/core/postgres.ts'
import { findBrowser } from '../browser.ts'
import { removePostgres } from '../postgres/postgres.ts'
import { mutations } from './list/mutations.ts'
import { findStale, isOfAdmin, type Mutation } from './mutation.ts'
import { createTestOrder } from './near-tests.ts'
import { type Finding, findFailure } from './test-process.ts'
import { copyTree } from './tree-copy.ts'

/*
 * Puts each fault of the list into a copy of the working tree, and runs the tests that can find it, nearest first, until one fails.
 *
 *   npm run mutations                          all faults, those of the admin last
 *   npm run mutations -- --room receipts       those of a room; --only 7 the seventh of the list; --without web none of the admin
 *   npm run mutations -- --near                only the tests of the fault's own room
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    room: { type: 'string' },
    only: { type: 'string', multiple: true },
    without: { type: 'string' },
    near: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '900' },
  },
})

const numbered = mutations.map((mutation, at) => ({ number: at + 1, mutation }))
const chosen = numbered
  .filter(({ mutation }) => values.room === undefined || mutation.room === values.room)
  .filter(({ number }) => values.only === undefined || values.only.includes(String(number)))
  .filter(({ mutation }) => values.without !== 'web' || !isOfAdmin(mutation))
  .toSorted((a, b) => Number(isOfAdmin(a.mutation)) - Number(isOfAdmin(b.mutation)))

if (chosen.length === 0 || (values.without !== undefined && values.without !== 'web')) {
  console.error('No fault is chosen: --room and --only take those of the list, --without takes web.')
  process.exit(2)
}

const stale = findStale(root, mutations)
for (const { file, from } of stale)
  console.error(`The list is stale: ${file} does not contain exactly once ${JSON.stringify(from)}`)
if (stale.length > 0) process.exit(2)

const copy = copyTree(root)
const temporary = makeTemporaryFolder(copy.path)
const cluster = join(temporary.path, 'postgres')
const env: NodeJS.ProcessEnv = {
  TAP_TIMEOUT: '3600',
  ...process.env,
  TAP: '1',
  TMPDIR: temporary.path,
  TEST_CLUSTER: cluster,
  NODE_COMPILE_CACHE: join(root, '.data/test/compile-cache'),
}
const runScript = (...args: string[]) =>
  spawnSync(process.execPath, args, { cwd: copy.path, env, stdio: ['ignore', 'inherit', 'inherit'] })
    .status === 0

/** A build that fails finds the fault, too. */
const build = () =>
  runScript('--input-type=module', '--eval', "await (await import('./dev/build.ts')).buildAdmin()")

const options = { path: copy.path, env, maxMs: Number(values.seconds) * 1000 }

/** A test that also fails without the fault has not found it. */
async function check(mutation: Mutation): Promise<string> {
  const takeOut = copy.put(mutation)
  const files = orderOf(mutation)
  let found: Finding | null
  try {
    if (isOfAdmin(mutation) && !build()) return 'the build'
    found = await findFailure(files, options)
  } finally {
    takeOut()
  }
  if (!found) return `NOT FOUND by ${files.length} files`
  if (isOfAdmin(mutation)) build()
  const isRed = (await findFailure([found.file], options)) !== null
  return isRed ? `NOT FOUND: ${found.file} fails without the fault, too` : `${found.file}: ${found.test}`
}

// after Ctrl-C the run ends with this fault, and removes its Postgres and its copy
let isStopped = false
process.once('SIGINT', () => {
  isStopped = true
})

const orderOf = createTestOrder(root, { isNear: values.near })
const rows: { fault: string; room: string; found: string }[] = []
try {
  if (!runScript('test/runner/start-postgres.ts')) throw new Error('Postgres did not start')
  process.env.TMPDIR = temporary.path
  if (chosen.some(({ mutation }) => isOfAdmin(mutation))) await findBrowser()
  for (const { number, mutation } of chosen) {
    if (isStopped) break
    const startedAt = performance.now()
    const found = await check(mutation)
    rows.push({ fault: `${number} ${mutation.why}`, room: mutation.room, found })
    console.log(
      `${rows.length} of ${chosen.length}, ${Math.round((performance.now() - startedAt) / 1000)} s: ${number} ${mutation.why}\n    ${found}`,
    )
  }
} finally {
  await removePostgres(cluster)
  temporary.empty()
  copy.remove()
}

const width = (column: 'fault' | 'room') => Math.max(...rows.map((row) => row[column].length))
console.log()
for (const { fault, room, found } of rows)
  console.log(`${fault.padEnd(width('fault'))}  ${room.padEnd(width('room'))}  ${found}`)
const missed = rows.filter(({ found }) => found.startsWith('NOT FOUND')).length
console.log(`\n${rows.length - missed} of ${rows.length} faults found`)
process.exitCode = missed > 0 ? 1 : 0
