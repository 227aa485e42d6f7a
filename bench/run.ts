import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { reportSeries, type SeriesOptions } from './forecast/report.ts'
import { SeriesFileError } from './forecast/series-file.ts'
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
    'shops',
  ],
]

/**
 * Runs the named benchmarks, or all. `--quick` measures less; `--postgres 15` uses another Postgres version (see
 * `dev/postgres/program.ts`). A full run exits with code 1 when a target is missed. `forecast --series FILE.csv --season 12
 * --horizon 3` compares the forecast models on the series of a file instead (`bench/forecast/report.ts`); `forecast
 * --variants 20000` measures the night of a smaller shop than 100 000 variants; `shops --shops 200 --minutes 2` a day of
 * fewer shops than 1 000 in two minutes instead of five.
 */
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    postgres: { type: 'string' },
    series: { type: 'string' },
    variants: { type: 'string' },
    shops: { type: 'string' },
    minutes: { type: 'string' },
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
  const options = {
    file: values.series,
    season: wholeNumber('season', values.season),
    horizon: wholeNumber('horizon', values.horizon),
    origins: values.origins.split(',').map((origin) => wholeNumber('origins', origin)),
  }
  process.exit(await compareSeries(options))
}

const all: FigureResult[] = []
for (const name of named.length > 0 ? named : benchmarks) {
  console.log(`\n${name}`)
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
  const result = resultsOf(name, isQuick)
  // delete the old result, so that a failed run cannot be mistaken for it
  await rm(result, { force: true })
  const options = [
    ...(isQuick ? ['--quick'] : []),
    ...(['variants', 'shops', 'minutes'] as const).flatMap((option) => {
      const value = values[option]
      return value === undefined ? [] : [`--${option}`, value]
    }),
  ]
  const child = spawn(process.execPath, [file, ...options], { stdio: 'inherit' })
  await once(child, 'exit')
  const { figures } = JSON.parse(await readFile(result, 'utf8'))
  all.push(...figures)
}

console.log('\nall')
printFigures(all)
if (!isQuick && all.some(({ isReached }) => isReached === false)) process.exitCode = 1

/** The exit code: 1 when ours missed its target, 2 when the file cannot be used. */
async function compareSeries(options: SeriesOptions): Promise<number> {
  try {
    return (await reportSeries(options)) ? 0 : 1
  } catch (error) {
    if (!(error instanceof SeriesFileError)) throw error
    console.error(error.message)
    return 2
  }
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) {
    console.error(`--${name} must be a whole number above 0, not "${text}"`)
    process.exit(2)
  }
  return number
}
