import type { Figure } from '../figures.ts'
import { alternate, median } from '../rounds.ts'
import type { BenchQueue } from './queues.ts'

/** So many at a time: as many as there are connections. */
const lanes = 4
const perStatement = 100

/** Jobs that are added per second, to a queue that nobody works on: each by itself, and many together. */
export async function measureAdds(
  ours: BenchQueue,
  boss: BenchQueue,
  rounds: number,
  adds: number,
): Promise<Figure[]> {
  const one = await alternate(rounds, {
    subject: () => addEach(ours, adds),
    baseline: () => addEach(boss, adds),
  })
  const all = await alternate(rounds, {
    subject: () => addTogether(ours, adds * 5),
    baseline: () => addTogether(boss, adds * 5),
  })
  const what = 'pg-boss'
  return [
    {
      what: 'enqueue, one by one',
      unit: 'jobs/s',
      value: median(one.subjects),
      baseline: { what, value: median(one.baselines) },
      detail: { adds, lanes, ...one },
    },
    {
      what: 'enqueueAll, a hundred at a time',
      unit: 'jobs/s',
      value: median(all.subjects),
      baseline: { what, value: median(all.baselines) },
      detail: { adds: adds * 5, perStatement, ...all },
    },
  ]
}

async function addEach({ add, clear }: BenchQueue, adds: number): Promise<number> {
  await clear()
  const startedAt = performance.now()
  let at = 0
  const lane = async () => {
    while (at < adds) await add({ at: at++ })
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return adds / ((performance.now() - startedAt) / 1000)
}

async function addTogether({ addAll, clear }: BenchQueue, adds: number): Promise<number> {
  await clear()
  const jobs = Array.from({ length: adds }, (_, at) => ({ at }))
  const startedAt = performance.now()
  for (let at = 0; at < adds; at += perStatement) await addAll(jobs.slice(at, at + perStatement))
  return adds / ((performance.now() - startedAt) / 1000)
}
