import { basename } from 'node:path'
import { compareModels, type ModelAccuracy } from './compare-models.ts'
import { readSeries, SeriesFileError } from './series-file.ts'

export type SeriesOptions = { file: string; season: number; horizon: number; origins: readonly number[] }

/** Prints how wrong each model was on the series of a file. Returns whether ours was within 1 % of the best single one. */
export async function reportSeries({ file, season, horizon, origins }: SeriesOptions): Promise<boolean> {
  const { series, skipped } = await readSeries(file)
  const rows = series[0]?.length ?? 0
  const usable = origins.filter((origin) => origin >= horizon && origin < rows)
  if (usable.length === 0) throw new SeriesFileError(tooFewRows(file, rows, { horizon, origins }))
  console.log(`${series.length} series, ${rows} rows, season ${season}`)
  if (skipped.length > 0) console.log(`columns that are no series: ${skipped.join(', ')}`)
  console.log(`total of ${horizon} rows, from ${usable.join(', ')} rows before the end`)
  const unused = origins.filter((origin) => !usable.includes(origin))
  if (unused.length > 0) {
    console.log(`left out: ${unused.join(', ')}, with too few rows before or after`)
  }
  const models = compareModels(series, { season, horizon, origins: usable })
  for (const line of tableOf(models)) console.log(line)
  const best = Math.min(...models.filter(({ isOurs }) => !isOurs).map(({ wape }) => wape))
  const ours = models.find(({ isOurs }) => isOurs)?.wape ?? Number.NaN
  if (Number.isNaN(ours)) {
    console.log('no demand was known in the rows ahead, so there is no WAPE to compare')
    return true
  }
  const isReached = ours <= best * 1.01
  // models that are never wrong are equal
  const ratio = best === 0 && ours === 0 ? 1 : ours / best
  console.log(`ours / best single model: ${ratio.toFixed(3)}, ${isReached ? 'reached' : 'MISSED'} (<= 1.01)`)
  return isReached
}

function tooFewRows(
  file: string,
  rows: number,
  { horizon, origins }: Pick<SeriesOptions, 'horizon' | 'origins'>,
) {
  const enough = origins.filter((origin) => origin >= horizon)
  if (enough.length === 0) {
    return `A total of ${horizon} rows needs an origin of at least ${horizon} rows before the end, as in --origins ${horizon}.`
  }
  return `${basename(file)} has ${rows} rows: too few. The origin ${Math.min(...enough)} rows before the end needs at least one row before it.`
}

function tableOf(models: readonly ModelAccuracy[]): string[] {
  const percent = (share: number) => (Number.isNaN(share) ? '-' : `${(100 * share).toFixed(2)} %`)
  const line = (name: string, ...cells: string[]) =>
    [name.padEnd(30), ...cells.map((cell) => cell.padStart(10))].join('')
  return [
    line('model', 'WAPE', 'MASE', 'bias', 'time'),
    ...models.map(({ name, wape, mase, bias, milliseconds }) =>
      line(
        name,
        percent(wape),
        Number.isNaN(mase) ? '-' : mase.toFixed(3),
        percent(bias),
        `${(milliseconds / 1000).toFixed(2)} s`,
      ),
    ),
  ]
}
