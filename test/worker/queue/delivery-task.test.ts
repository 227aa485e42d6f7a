import type { JobHelpers } from 'graphile-worker'
import t, { type Test } from 'tap'
import { type Db, sql } from '../../../shared/db/db.ts'
import { PlatformError } from '../../../shared/platform/errors.ts'
import { jobs } from '../../../shared/queue/jobs.ts'
import { createScrub } from '../../../shared/telemetry/scrub.ts'
import { defineDeliveryTask } from '../../../worker/queue/delivery-task.ts'
import { openTestDb } from '../../support/core/database.ts'
import { startTasks } from '../../support/core/worker.ts'

/** Runs a task with the deliveries 1, 2 and 3 of one shop, and 4 of another. Returns those of each call of `applyBatch`, and those that failed. */
async function runDeliveries(t: Test, applyBatch: (ids: readonly number[], db: Db) => Promise<unknown>) {
  const { db, config } = await openTestDb(t)
  const { services } = await startTasks(t, db)
  const calls: (readonly number[])[] = []
  const task = defineDeliveryTask(jobs.applyOrders, async ({ deliveryIds }) => {
    calls.push(deliveryIds)
    await applyBatch(deliveryIds, services.db)
    return []
  })
  const now = new Date()
  const helpers: Pick<JobHelpers, 'abortSignal'> & { job: Partial<JobHelpers['job']> } = {
    abortSignal: new AbortController().signal,
    job: { id: '1', attempts: 1, max_attempts: 12, created_at: now, updated_at: now, flags: null },
  }
  const run = task.bind(services, services.log, createScrub(config), {
    begin: () => () => {},
    stop: async () => {},
  })
  const ids = [1, 2, 3, 4]
  const entries = ids.map((deliveryId) => ({ shopId: deliveryId < 4 ? 1 : 2, deliveryId }))
  const outcomes = await Promise.allSettled((await run(entries, helpers as JobHelpers)) ?? [])
  return { calls, failed: ids.filter((_, at) => outcomes[at]?.status === 'rejected') }
}

t.test('after an error of one delivery each is applied alone, and only that one fails', async (t) => {
  const { calls, failed } = await runDeliveries(t, async (ids) => {
    if (ids.includes(2)) throw new PlatformError('rejected', 'An unknown field.')
  })
  t.strictSame(calls, [[1, 2, 3], [1], [2], [3], [4]])
  t.strictSame(failed, [2])
})

t.test(
  'an outage of the platform ends the attempt for the shop, also one that begins after an error of one delivery',
  async (t) => {
    const outage = new PlatformError('unavailable', 'No response.')
    const ofAll = await runDeliveries(t, () => Promise.reject(outage))
    t.strictSame(ofAll, { calls: [[1, 2, 3], [4]], failed: [1, 2, 3, 4] })
    const ofSome = await runDeliveries(t, async (ids) => {
      if (ids.length > 1) throw new Error('A bad delivery.')
      if (ids[0] === 2) throw outage
    })
    t.strictSame(ofSome, { calls: [[1, 2, 3], [1], [2], [4]], failed: [2, 3] })
  },
)

t.test(
  'an error of the database ends the attempt for all shops, but a statement timeout does not',
  async (t) => {
    const ended = (_ids: readonly number[], db: Db) =>
      db.query(sql.typeAlias('void')`select pg_terminate_backend(pg_backend_pid())`)
    t.strictSame(await runDeliveries(t, ended), { calls: [[1, 2, 3]], failed: [1, 2, 3, 4] })
    const slow = (ids: readonly number[], db: Db) =>
      db.transaction(async (tx) => {
        await tx.query(sql.typeAlias('void')`set local statement_timeout = 500`)
        await tx.query(sql.typeAlias('void')`select pg_sleep(${ids.length > 1 ? 5 : 0})`)
      })
    t.strictSame(await runDeliveries(t, slow), { calls: [[1, 2, 3], [1], [2], [3], [4]], failed: [] })
  },
)
