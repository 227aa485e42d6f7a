import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../shared/db/db.ts'
import { enqueue } from '../../shared/queue/enqueue.ts'
import { jobs } from '../../shared/queue/jobs.ts'
import { readMemory } from '../support/process-memory.ts'
import { type BenchSystem, makeBenchShop } from '../support/system.ts'

/** Seconds from the addition of a job to its start, of so many jobs; how long the night took; the worker's peak memory in MiB. */
export type Waits = {
  jobs: number
  median: number
  p99: number
  max: number
  night: number
  memoryBefore: number
  memory: number
}

const Count = Type.Object({ count: Type.Integer() })
const Wait = Type.Object({ seconds: Type.Number() })

/** Each of them enqueues the next ones. */
const nightTasks = [
  jobs.rollUpDemand,
  jobs.recomputeForecasts,
  jobs.recomputeReorderPoints,
  jobs.recomputePlanning,
].map(({ name }) => name)
/** Between two jobs of the other shop. */
const pauseMs = 200

/** Does a night in a worker of its own, and adds a short job of another shop every 0.2 s until it is over. */
export async function measureWaits(system: BenchSystem, db: Db, shopId: number): Promise<Waits> {
  const other = await makeBenchShop(db)
  const worker = system.startProcess('worker/main.ts')
  try {
    // the first job says that the worker is ready
    await addProbe(db, other.shopId)
    await untilDone(db, [jobs.checkOverduePurchaseOrders.name])
    const { peak: memoryBefore } = await readMemory(worker.pid)
    const startedAt = performance.now()
    await enqueue(db, jobs.rollUpDemand, { shopId })
    const added = new Map<number, number>()
    const isNightOver = async () => (await waiting(db, nightTasks)) === 0
    while (!(await isNightOver())) {
      added.set(await addProbe(db, other.shopId), Date.now())
      await sleep(pauseMs)
    }
    const night = (performance.now() - startedAt) / 1000
    const { peak: memory } = await readMemory(worker.pid)
    await untilDone(db, [jobs.checkOverduePurchaseOrders.name])
    const rows = [...added]
    const waits = await db.anyFirst(sql.type(row(Wait))`
      select extract(epoch from r.started_at)::float8 - a.added_at / 1000 as seconds
      from ${sql.unnest(rows, ['int8', 'float8'])} as a (id, added_at)
      join job_run r on r.job_id = a.id
      order by 1
    `)
    const at = (share: number) =>
      waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.NaN
    return { jobs: waits.length, median: at(0.5), p99: at(0.99), max: at(1), night, memoryBefore, memory }
  } finally {
    await worker.stop()
  }
}

const addProbe = (db: Db, shopId: number) => enqueue(db, jobs.checkOverduePurchaseOrders, { shopId })

const waiting = (db: Db, tasks: readonly string[]) =>
  db.oneFirst(sql.type(row(Count))`
    select count(*)::int as count
    from graphile_worker.jobs
    where task_identifier = any(${sql.array([...tasks], 'text')})
      -- the worker's own timers add jobs of every shop for later
      and run_at < now() + interval '1 minute'
  `)

async function untilDone(db: Db, tasks: readonly string[]): Promise<void> {
  while ((await waiting(db, tasks)) > 0) await sleep(100)
}
