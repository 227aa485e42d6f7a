import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { parseSeries } from '../../../bench/forecast/series-file.ts'
import { poisson, seeded } from '../../support/make/series.ts'

const parse = (text: string) => parseSeries(Buffer.from(text), 'demand.csv')
const seriesOf = (text: string) => parse(text).series

t.test('a file has a column for each series and an empty cell for an unknown value', async (t) => {
  t.strictSame(parse('a,b\n,4\n2,\n3,6\n'), {
    names: ['a', 'b'],
    series: [
      [null, 2, 3],
      [4, null, 6],
    ],
    skipped: [],
  })
  t.strictSame(seriesOf('a,b\n1,2\n3,\n'), [
    [1, 3],
    [2, null],
  ])
  t.strictSame(seriesOf('a,b\n0,1\n0,2\n'), [
    [0, 0],
    [1, 2],
  ])
})

t.test('a row that ends early ends with unknown values', async (t) => {
  t.strictSame(seriesOf('a,b,c\n1,2,3\n4\n5,6\n'), [
    [1, 4, 5],
    [2, null, 6],
    [3, null, null],
  ])
})

t.test('the first row is a header when it is not numbers, or alone is quoted', async (t) => {
  const numbers = [
    [1, 3],
    [2, 4],
  ]
  t.strictSame(parse('1,2\n3,4\n'), { names: ['column 1', 'column 2'], series: numbers, skipped: [] })
  t.strictSame(parse('"17","18"\n1,2\n3,4\n'), { names: ['17', '18'], series: numbers, skipped: [] })
  t.strictSame(parse('"1","2"\n"3","4"\n').series, numbers, 'where all cells are quoted, it is a row')
  t.strictSame(parse(',2\n3,4\n').series, [
    [null, 3],
    [2, 4],
  ])
})

t.test('byte order marks, line ends, quotes and blanks change no value', async (t) => {
  const expected = [
    [1, 3],
    [2, 4],
  ]
  for (const text of [
    '\ufeffa,b\r\n1,2\r\n3,4\r\n',
    'a,b\r1,2\r3,4',
    '"a","b ""large"""\n"1", 2 \n3,"4"',
    ' a , b\n 1 , 2\n\n3,4\n\n\n',
    'a,b,\n1,2,\n3,4,\n',
    'a;b\n1;2\n3;4\n',
    'a\tb\n1\t2\n3\t4\n',
  ]) {
    t.strictSame(seriesOf(text), expected, JSON.stringify(text))
  }
  const utf16 = Buffer.from('\ufeffa;b\r\n1;2\r\n3;4\r\n', 'utf16le')
  t.strictSame(parseSeries(utf16, 'demand.csv').series, expected)
})

t.test('beside semicolons and tabs, a comma is the decimal point', async (t) => {
  t.strictSame(seriesOf('a;b\n1,5;2\n;-0,25\n'), [
    [1.5, null],
    [2, -0.25],
  ])
  t.strictSame(seriesOf('a\tb\n1,5\t\n\t2.5\n'), [
    [1.5, null],
    [null, 2.5],
  ])
})

t.test('in a file of one column an empty line is an unknown value, but not at the end', async (t) => {
  t.strictSame(seriesOf('a\n1\n\n3\n\n'), [[1, null, 3]])
  t.strictSame(seriesOf('\n1\n2\n'), [[null, 1, 2]])
  t.strictSame(seriesOf('a\n1\n""\n'), [[1, null]], 'a quoted empty cell is one at the end, too')
})

t.test('a column of dates or without values is no series', async (t) => {
  t.match(parse('month,a\n2026-01,1\n2026-02,2\n'), { names: ['a'], skipped: ['month'] })
  t.match(parse('week,a\n1,5\n2,6\n'), { names: ['a'], skipped: ['week'] })
  t.match(
    parse('"","a"\n"1",5\n"2",6\n'),
    { names: ['a'], series: [[5, 6]] },
    'numbers of rows, as R writes them',
  )
  t.match(parse('a,b\n1,\n2,\n'), { names: ['a'], skipped: ['b'] })
})

t.test('the parser names row and column of a cell that is no number', async (t) => {
  for (const cell of ['x', 'n/a', '1 000', '0x10', '1.2.3', 'Infinity', 'NaN', '-']) {
    t.throws(() => parse(`day,a,b\n2026-01-01,1,2\n2026-01-02,3,${cell}\n`), {
      message: `demand.csv, row 3, column 3 (b): "${cell}" is no number. Leave the cell of an unknown value empty.`,
    })
  }
  t.throws(() => parse('1;2\n3;4\n"a";6\n'), { message: /row 3, column 1: "a" is no number/ })
  t.throws(() => parse('a\nx\n'), { message: /row 2, column 1 \(a\): "x" is no number/ })
})

t.test('the parser says why a file has no series', async (t) => {
  t.throws(() => parse(''), { message: 'demand.csv is empty' })
  t.throws(() => parse('\n\n'), { message: 'demand.csv is empty' })
  t.throws(() => parse('a,b\n'), { message: 'demand.csv has no column of numbers' })
  t.throws(() => parse('a,b\n,\n'), { message: 'demand.csv has no column of numbers' })
  t.throws(() => parse('a,b\n1,"2\n'), { message: /^demand\.csv is no CSV file: Quote Not Closed/ })
  t.throws(() => parseSeries(Buffer.from([0x61, 0x0a, 0xff, 0xff]), 'demand.csv'), {
    message: 'demand.csv is no text in UTF-8',
  })
})

const command = fileURLToPath(new URL('../../../bench/run.ts', import.meta.url))

/** Runs the command on a file with this text. */
async function compare(t: Test, text: string, options: readonly string[] = []) {
  const file = join(t.testdir(), 'demand.csv')
  await writeFile(file, text)
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [command, 'forecast', '--series', file, ...options], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

const csvOf = (series: readonly (readonly (number | null)[])[]) =>
  (series[0] ?? []).map((_, at) => series.map((values) => values[at] ?? '').join(',')).join('\n')

const models = [
  'naive',
  'seasonal naive',
  'mean of 12',
  'simple exponential smoothing',
  'damped Holt',
  'Croston-SBA',
  'ours',
]

t.test('the command compares the models on monthly and weekly series', async (t) => {
  const random = seeded(23)
  const seasonal = (rows: number, season: number) =>
    Array.from({ length: 20 }, () =>
      Array.from({ length: rows }, (_, at) =>
        poisson(random, 40 + 30 * Math.sin((2 * Math.PI * at) / season)),
      ),
    )
  const monthly = seasonal(60, 12)
  const withUnknown = [
    ...monthly.map((series, at) => series.map((value, row) => (row < at ? null : value))),
    new Array(60).fill(0),
  ]
  const { code, stdout } = await compare(t, csvOf(withUnknown), ['--season', '12', '--horizon', '3'])
  t.match(stdout, '21 series, 60 rows, season 12\ntotal of 3 rows, from 12, 9, 6, 3 rows before the end\n')
  const table = stdout.split('\n').filter((line) => / %/.test(line) && / s$/.test(line))
  t.strictSame(
    table.map((line) => line.slice(0, 30).trim()),
    models,
  )
  for (const line of table) t.match(line, /\d+\.\d\d % +\d+\.\d{3} +-?\d+\.\d\d % +\d+\.\d\d s$/)
  t.match(stdout, /ours \/ best single model: 0\.\d{3}, reached/)
  t.equal(code, 0)

  const weekly = await compare(t, csvOf(seasonal(110, 52)), ['--season', '52', '--horizon', '4'])
  t.match(
    weekly.stdout,
    '20 series, 110 rows, season 52\ntotal of 4 rows, from 12, 9, 6 rows before the end\n',
  )
  t.match(weekly.stdout, 'left out: 3, with too few rows before or after')
  t.match(weekly.stdout, /ours \/ best single model: 0\.\d{3}, reached/)
})

t.test('each model sees only the rows before its origin', async (t) => {
  const random = seeded(29)
  const series = Array.from({ length: 10 }, () => Array.from({ length: 40 }, () => poisson(random, 20)))
  const shareOf = async (values: readonly (readonly number[])[]) => {
    const { stdout } = await compare(t, csvOf(values), ['--origins', '12'])
    const bias = stdout.split('\n').map((line) => /^(\w.*?) {2,}.* (-?[\d.]+) % +\S+ s$/.exec(line))
    // forecast = actual (1 + bias)
    const actual = values.flatMap((rows) => rows.slice(28, 31)).reduce((sum, value) => sum + value, 0)
    return bias.flatMap((found) =>
      found ? [[found[1], Math.round(actual * (1 + Number(found[2]) / 100))]] : [],
    )
  }
  const forecasts = await shareOf(series)
  t.equal(forecasts.length, models.length)
  t.strictSame(
    await shareOf(series.map((rows) => rows.map((value, at) => (at < 28 ? value : 20)))),
    forecasts,
  )
})

t.test('the command says what is wrong with a file, and prints no stack', async (t) => {
  const few = await compare(t, 'a\n1\n2\n3\n')
  t.match(few, {
    code: 2,
    stderr:
      'demand.csv has 3 rows: too few. The origin 3 rows before the end needs at least one row before it.',
  })
  const wrong = await compare(t, 'a,b\n1,2\n3,x\n')
  t.match(wrong, { code: 2, stderr: 'demand.csv, row 3, column 2 (b): "x" is no number.' })
  t.notMatch(wrong.stderr, / at /)
  const horizon = await compare(t, 'a\n1\n2\n3\n', ['--horizon', '13'])
  t.match(horizon, {
    code: 2,
    stderr: 'A total of 13 rows needs an origin of at least 13 rows before the end',
  })
  t.match(await compare(t, 'a\n1', ['--horizon', '0']), {
    code: 2,
    stderr: '--horizon must be a whole number',
  })
  const none = await compare(t, csvOf([new Array(30).fill(0)]))
  t.match(none, { code: 0, stdout: 'no demand was known in the rows ahead, so there is no WAPE to compare' })
})

t.test('one column of few rows is compared, too', async (t) => {
  const { stdout } = await compare(t, '5\n7\n6\n\n8\n')
  t.match(
    stdout,
    '1 series, 5 rows, season 12\ntotal of 3 rows, from 3 rows before the end\nleft out: 12, 9, 6',
  )
})
