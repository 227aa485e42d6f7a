import type { Figure } from '../support/figures.ts'
import { alternate, median } from '../support/rounds.ts'
import type { BenchQueue } from './queues.ts'

/** Concurrent calls: as many as there are connections. */
const concurrentCalls = 4
const perStatement = 100

/** Jobs added per second to a queue without a worker: one per statement, and 100 per statement. */
export async function measureAdds(
  ours: BenchQueue,
  boss: BenchQueue,
  rounds: number,
  adds: number,
): Promise<Figure[]> {
  const single = await alternate(rounds, {
    subject: () => addEach(ours, adds),
    baseline: () => addEach(boss, adds),
  })
  const batched = await alternate(rounds, {
    subject: () => addInBatches(ours, adds * 5),
    baseline: () => addInBatches(boss, adds * 5),
  })
  const what = 'pg-boss'
  return [
    {
      what: 'enqueue, one by one',
      unit: 'jobs/s',
      value: median(single.subjects),
      baseline: { what, value: median(single.baselines) },
      detail: { adds, concurrentCalls, ...single },
    },
    {
      what: 'enqueueAll, a hundred at a time',
      unit: 'jobs/s',
      value: median(batched.subjects),
      baseline: { what, value: median(batched.baselines) },
      detail: { adds: adds * 5, perStatement, ...batched },
    },
  ]
}

async function addEach({ add, clear }: BenchQueue, adds: number): Promise<number> {
  await clear()
  const startedAt = performance.now()
  let at = 0
  const addUntilDone = async () => {
    while (at < adds) await add({ at: at++ })
  }
  await Promise.all(Array.from({ length: concurrentCalls }, addUntilDone))
  return adds / ((performance.now() - startedAt) / 1000)
}

async function addInBatches({ addAll, clear }: BenchQueue, adds: number): Promise<number> {
  await clear()
  const jobs = Array.from({ length: adds }, (_, at) => ({ at }))
  const startedAt = performance.now()
  for (let at = 0; at < adds; at += perStatement) await addAll(jobs.slice(at, at + perStatement))
  return adds / ((performance.now() - startedAt) / 1000)
}
