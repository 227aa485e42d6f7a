import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reportSeries } from './forecast/report.ts'
import { type FigureResult, printFigures, resultsOf } from './support/figures.ts'

/** Run in this order, each in its own process, so that none affects the next. */
const benchmarks = [
  ...[
    'api',
    'webhooks',
    'inventory-updates',
    'jobs',
    'sync',
    'pdf',
    'growth',
    'memory',
    'web',
    'writes',
    'forecast',
  ],
]

/**
 * Runs the named benchmarks, or all. `--quick` measures less; `--postgres 15` uses another Postgres version (see
 * `dev/postgres/program.ts`). A full run exits with code 1 when a target is missed. `forecast --series FILE.csv --season 12
 * --horizon 3` compares the forecast models on the series of a file instead (`bench/forecast/report.ts`).
 */
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    postgres: { type: 'string' },
    series: { type: 'string' },
    season: { type: 'string', default: '12' },
    horizon: { type: 'string', default: '3' },
    origins: { type: 'string', default: '12,9,6,3' },
  },
})
const isQuick = values.quick
if (values.postgres) process.env.POSTGRES = values.postgres
const unknown = named.filter((name) => !benchmarks.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Known benchmarks: ${benchmarks.join(', ')}`)
  process.exit(2)
}

if (values.series !== undefined) {
  const isReached = await reportSeries({
    file: values.series,
    season: wholeNumber('season', values.season),
    horizon: wholeNumber('horizon', values.horizon),
    origins: values.origins.split(',').map((origin) => wholeNumber('origins', origin)),
  })
  process.exit(isReached ? 0 : 1)
}

const all: FigureResult[] = []
for (const name of named.length > 0 ? named : benchmarks) {
  console.log(`\n${name}`)
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const result = resultsOf(name, isQuick)
  // delete the old result, so that a failed run cannot be mistaken for it
  await rm(result, { force: true })
  const child = spawn(process.execPath, [file, ...(isQuick ? ['--quick'] : [])], { stdio: 'inherit' })
  await once(child, 'exit')
  const { figures } = JSON.parse(await readFile(result, 'utf8'))
  all.push(...figures)
}

console.log('\nall')
printFigures(all)
if (!isQuick && all.some(({ isReached }) => isReached === false)) process.exitCode = 1

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    console.error(`--${name} must be a whole number above 0, not "${text}"`)
    process.exit(2)
  }
  return number
}
