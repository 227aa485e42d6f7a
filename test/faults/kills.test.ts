import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createDatabase } from '../support/core/database.ts'
import { type SupervisedProcess, startSupervised } from '../support/core/processes.ts'
import { until } from '../support/core/until.ts'
import { expectPromised, rounds, startClock } from '../support/faults/faults.ts'
import { openBusyShop } from '../support/make/busy-shop.ts'

t.test('repeatedly killed workers lose no work and do none twice', async (t) => {
  const shop = await openBusyShop(t, await createDatabase())
  shop.mailService.faults.set({ mailDelayMs: 300 })
  const workers = [
    startSupervised(t, 'worker/main.ts', shop.env),
    startSupervised(t, 'worker/main.ts', shop.env),
  ]
  const times: number[] = []
  const kills = rounds(20, 2)
  for (let kill = 0; kill < kills; kill += 1) {
    await shop.work({ mails: rounds(8, 4), deliveries: rounds(32, 12), pushes: rounds(10, 5) })
    await sleep(Math.random() * 300)
    const runningIds = await until(async () => {
      const ids = await shop.running()
      if (ids.length > 0) return ids
      // on a busy machine all jobs may be done before the first look
      await shop.work({ mails: 2, deliveries: 4, pushes: 2 })
      return false
    }, 'jobs run')
    const victim = workers[kill % 2]?.current()
    victim?.kill('SIGKILL')
    const sinceKill = startClock()
    await until(async () => (await shop.left(runningIds)) === 0, 'the jobs of the killed worker are done')
    times.push(sinceKill())
  }
  // the worker killed last may not have started yet, and cannot handle SIGTERM before
  const hasDoneJob = (worker: SupervisedProcess) => {
    const { child, output } = worker.current()
    return child.signalCode === null && output().includes('job done')
  }
  const haveBothDoneJobs = async () => {
    if (workers.every(hasDoneJob)) return true
    await shop.work({ mails: 2, deliveries: 4, pushes: 2 })
    await sleep(200)
    return false
  }
  await until(haveBothDoneJobs, 'both workers work again')
  await until(shop.isSettled, 'all work is done', 300_000)
  await shop.expectEachEffectOnce()
  const { failed, max: maxAttempt } = await shop.attempts()
  t.equal(failed, 0, 'no job failed')
  t.equal(maxAttempt, 1, 'no attempt was used up')
  expectPromised(t, 'from the kill until its jobs were done', times, 15_000)
  for (const worker of workers) t.equal(await worker.stop(), 0)
})

t.test('workers that get SIGTERM under load lose no work', async (t) => {
  const shop = await openBusyShop(t, await createDatabase())
  shop.mailService.faults.set({ mailDelayMs: 500 })
  const times: number[] = []
  const stops = rounds(10, 1)
  for (let stop = 0; stop < stops; stop += 1) {
    await shop.work({ mails: rounds(6, 4), deliveries: rounds(30, 12), pushes: rounds(10, 5) })
    const worker = startSupervised(t, 'worker/main.ts', shop.env)
    await until(async () => (await shop.running()).length > 0, 'jobs run')
    await sleep(Math.random() * 500)
    const sinceSignal = startClock()
    t.equal(await worker.stop(), 0)
    times.push(sinceSignal())
    t.strictSame(await shop.running(), [], 'no job is locked')
  }
  const worker = startSupervised(t, 'worker/main.ts', shop.env)
  // it cannot handle SIGTERM before it has started
  await shop.work({ mails: 1, deliveries: 2, pushes: 1 })
  await until(() => worker.output().includes('job done'), 'the last worker works')
  await until(shop.isSettled, 'all work is done', 300_000)
  await shop.expectEachEffectOnce()
  t.equal((await shop.attempts()).max, 1, 'no attempt was used up')
  // before the host kills it
  expectPromised(t, 'from SIGTERM to the exit', times, 25_000)
  t.equal(await worker.stop(), 0)
})
