import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { printFigures, resultsOf, type Verdict } from './figures.ts'

/** In this order, each in a process of its own, so that none leaves anything to the next. */
const benchmarks = ['api', 'webhooks', 'inventory-news', 'jobs', 'pdf', 'growth', 'memory', 'web']

/**
 * Runs the benchmarks that are named, or all; `--quick` measures less of each; `--postgres 15` runs them on another
 * Postgres (`dev/postgres/program.ts` says which). A whole run ends with 1 when a target is missed.
 */
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, postgres: { type: 'string' } },
})
const isQuick = values.quick
if (values.postgres) process.env.POSTGRES = values.postgres
const unknown = named.filter((name) => !benchmarks.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are: ${benchmarks.join(', ')}`)
  process.exit(2)
}

const all: Verdict[] = []
for (const name of named.length > 0 ? named : benchmarks) {
  console.log(`\n${name}`)
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const result = resultsOf(name, isQuick)
  // what is there afterwards is of this run
  await rm(result, { force: true })
  const child = spawn(process.execPath, [file, ...(isQuick ? ['--quick'] : [])], { stdio: 'inherit' })
  await once(child, 'exit')
  const { figures } = JSON.parse(await readFile(result, 'utf8'))
  all.push(...figures)
}

console.log('\nall')
printFigures(all)
if (!isQuick && all.some(({ isReached }) => isReached === false)) process.exitCode = 1
