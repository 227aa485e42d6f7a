import { loadConfig } from '../../shared/config.ts'
import { type DatabasePool, openDb } from '../../shared/db/db.ts'
import { closeRollUp, rollUpBatch } from '../../shared/domain/demand/roll-up.ts'
import { computeForecastBatch } from '../../shared/domain/forecasts/compute.ts'
import { computeProfiles } from '../../shared/domain/forecasts/profiles.ts'
import { readMemory } from '../support/process-memory.ts'

/** Seconds of each part, and the peak memory of the process in MiB. */
export type Night = { rollUp: number; profiles: number; forecasts: number; batches: number; memory: number }

/** Does the work of `roll-up-demand` and `recompute-forecasts` for one shop, as the tasks do. */
async function runNight(db: DatabasePool, shopId: number): Promise<Night> {
  const rollUp = await timeOf(async () => {
    for (let after: number | null = 0; after !== null; ) {
      const from: number = after
      after = await db.transaction((tx) => rollUpBatch(tx, shopId, from))
    }
    await db.transaction((tx) => closeRollUp(tx, shopId))
  })
  const { signal } = new AbortController()
  const profiles = await timeOf(() => computeProfiles(db, shopId, signal))
  let batches = 0
  const forecasts = await timeOf(async () => {
    for (let after: number | null = 0; after !== null; batches += 1) {
      const from: number = after
      after = await db.transaction((tx) => computeForecastBatch(tx, shopId, from, signal))
    }
  })
  const { peak } = await readMemory('self')
  return { rollUp, profiles, forecasts, batches, memory: peak }
}

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
