import { compareModels, type ModelAccuracy } from './compare-models.ts'
import { readSeries } from './series-file.ts'

export type SeriesOptions = { file: string; season: number; horizon: number; origins: readonly number[] }

/** Prints how wrong each model was on the series of a file. Returns whether ours was within 1 % of the best single one. */
export async function reportSeries({ file, season, horizon, origins }: SeriesOptions): Promise<boolean> {
  const { series, skipped } = await readSeries(file)
  const rows = series[0]?.length ?? 0
  const usable = origins.filter((origin) => origin >= horizon && origin < rows)
  if (series.length === 0 || usable.length === 0) {
    throw new Error(
      `${file}: needs a column of numbers, and more than ${Math.min(...origins)} rows of at least ${horizon} ahead`,
    )
  }
  console.log(`${series.length} series, ${rows} rows, season ${season}`)
  if (skipped.length > 0) console.log(`columns without numbers: ${skipped.join(', ')}`)
  console.log(`total of ${horizon} rows, from ${usable.join(', ')} rows before the end`)
  const models = compareModels(series, { season, horizon, origins: usable })
  for (const line of tableOf(models)) console.log(line)
  const best = Math.min(...models.filter(({ isOurs }) => !isOurs).map(({ wape }) => wape))
  const ours = models.find(({ isOurs }) => isOurs)?.wape ?? Number.NaN
  const isReached = ours <= best * 1.01
  console.log(
    `ours / best single model: ${(ours / best).toFixed(3)}, ${isReached ? 'reached' : 'MISSED'} (<= 1.01)`,
  )
  return isReached
}

function tableOf(models: readonly ModelAccuracy[]): string[] {
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`
  const line = (name: string, ...cells: string[]) =>
    [name.padEnd(30), ...cells.map((cell) => cell.padStart(10))].join('')
  return [
    line('model', 'WAPE', 'MASE', 'bias', 'time'),
    ...models.map(({ name, wape, mase, bias, milliseconds }) =>
      line(name, percent(wape), mase.toFixed(3), percent(bias), `${(milliseconds / 1000).toFixed(2)} s`),
    ),
  ]
}
