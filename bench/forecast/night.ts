import { Type } from '@sinclair/typebox'
import { loadConfig } from '../../shared/config.ts'
import { type DatabasePool, type Db, openDb, row, sql } from '../../shared/db/db.ts'
import { closeRollUp, rollUpBatch } from '../../shared/domain/ledgers/demand/roll-up.ts'
import { computeForecastBatch } from '../../shared/domain/planning/forecasts/compute.ts'
import { computeProfiles } from '../../shared/domain/planning/forecasts/profiles.ts'
import { markStale } from '../../shared/domain/planning/forecasts/stale.ts'
import { computePlanningBatch } from '../../shared/domain/planning/planning/compute.ts'
import { computeRuleBatch } from '../../shared/domain/planning/reorder/compute.ts'
import { readMemory } from '../support/process-memory.ts'
import { processorTime } from '../support/processor-time.ts'

/**
 * Seconds of each part; the processor seconds of the process and of its Postgres session, which work by turns, so that they are what
 * one core needs; and the peak memory of the process in MiB.
 */
export type Night = {
  rollUp: number
  profiles: number
  forecasts: number
  points: number
  planning: number
  /** The longest transaction of a batch, and of which part. */
  longest: { part: string; seconds: number }
  processor: { node: number; postgres: number }
  memory: number
}

/**
 * Does the work of `roll-up-demand`, `recompute-forecasts`, `recompute-reorder-points` and `recompute-planning` for one
 * shop, as the tasks do.
 */
async function runNight(db: DatabasePool, shopId: number): Promise<Night> {
  const { signal } = new AbortController()
  const session = await db.oneFirst(sql.type(row(Session))`select pg_backend_pid() as pid`)
  const before = (await processorTime(session)) ?? Number.NaN
  const longest = { part: '', seconds: 0 }
  const inBatches = async (part: string, batch: (tx: Db, after: number) => Promise<number | null>) => {
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after
      const seconds = await timeOf(async () => {
        after = await db.transaction((tx) => batch(tx, from))
      }).catch((cause) => {
        throw new Error(`The batch of ${part} after variant or rule ${from} failed`, { cause })
      })
      if (seconds > longest.seconds) Object.assign(longest, { part, seconds })
    }
  }
  const rollUp = await timeOf(async () => {
    await inBatches('roll-up-demand', async (tx, after) => {
      const { next, wholeIds } = await rollUpBatch(tx, shopId, after)
      await markStale(tx, shopId, sql.fragment`f.variant_id = any(${sql.array(wholeIds, 'int8')})`)
      return next
    })
    await db.transaction((tx) => closeRollUp(tx, shopId))
  })
  const profiles = await timeOf(() => computeProfiles(db, shopId, signal))
  const forecasts = await timeOf(() =>
    inBatches('recompute-forecasts', (tx, after) => computeForecastBatch(tx, shopId, after, signal)),
  )
  const points = await timeOf(() =>
    inBatches('recompute-reorder-points', (tx, after) =>
      computeRuleBatch(tx, shopId, after, { isOnlyNew: false }),
    ),
  )
  const planning = await timeOf(() =>
    inBatches('recompute-planning', (tx, after) => computePlanningBatch(tx, shopId, after)),
  )
  const { user, system } = process.cpuUsage()
  const processor = {
    node: (user + system) / 1e6,
    postgres: (((await processorTime(session)) ?? Number.NaN) - before) / 1000,
  }
  const { peak } = await readMemory('self')
  return { rollUp, profiles, forecasts, points, planning, longest, processor, memory: peak }
}

const Session = Type.Object({ pid: Type.Integer() })

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return (performance.now() - startedAt) / 1000
}

if (import.meta.main) {
  const db = await openDb(loadConfig(process.env, 'worker'), 1)
  const night = await runNight(db, Number(process.env.SHOP_ID))
  await db.end()
  console.log(JSON.stringify(night))
}
