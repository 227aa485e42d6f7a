import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { createDatabase } from '../support/core/database.ts'
import { until } from '../support/core/processes.ts'
import { report, rounds, within } from '../support/faults/faults.ts'
import { openBusyShop } from '../support/make/busy-shop.ts'
import { type Kept, keep } from '../support/make/keeper.ts'

t.setTimeout(1_200_000)

t.test(
  'workers killed again and again lose nothing and do nothing twice',
  { timeout: 900_000 },
  async (t) => {
    const shop = await openBusyShop(t, await createDatabase())
    shop.mailService.faults.set({ mailDelayMs: 300 })
    const workers = [keep(t, 'worker/main.ts', shop.env), keep(t, 'worker/main.ts', shop.env)]
    const times: number[] = []
    const kills = rounds(20, 2)
    for (let kill = 0; kill < kills; kill += 1) {
      await shop.work({ mails: 8, deliveries: 32, pushes: 10 })
      await sleep(Math.random() * 300)
      const held = await until(async () => {
        const ids = await shop.running()
        return ids.length > 0 && ids
      }, 'jobs run')
      const victim = workers[kill % 2]?.current()
      victim?.kill('SIGKILL')
      const killedAt = Date.now()
      await until(async () => (await shop.left(held)) === 0, 'what it was at is done')
      times.push(Date.now() - killedAt)
    }
    // who was killed last may not have begun again, and could not be told to stop
    const isAtWork = (worker: Kept) => {
      const { child, output } = worker.current()
      return child.signalCode === null && output().includes('job done')
    }
    const areAtWork = async () => {
      if (workers.every(isAtWork)) return true
      await shop.work({ mails: 2, deliveries: 4, pushes: 2 })
      await sleep(200)
      return false
    }
    await until(areAtWork, 'both work again')
    await until(shop.isSettled, 'all is done', 120_000)
    await shop.expectOnce()
    const { failed, most } = await shop.attempts()
    t.equal(failed, 0, 'nothing failed')
    t.equal(most, 1, 'no attempt was lost')
    const { p50, max } = report(t, 'from the kill until all was done that ran', times)
    t.ok(p50 <= within(10_000), 'half within 10 s')
    t.ok(max <= within(15_000), 'all within 15 s')
    for (const worker of workers) t.equal(await worker.stop(), 0)
  },
)

t.test('workers that are told to stop under load lose nothing', { timeout: 600_000 }, async (t) => {
  const shop = await openBusyShop(t, await createDatabase())
  shop.mailService.faults.set({ mailDelayMs: 500 })
  const times: number[] = []
  const stops = rounds(10, 2)
  for (let stop = 0; stop < stops; stop += 1) {
    await shop.work({ mails: 6, deliveries: 30, pushes: 10 })
    const worker = keep(t, 'worker/main.ts', shop.env)
    await until(async () => (await shop.running()).length > 0, 'jobs run')
    await sleep(Math.random() * 500)
    const toldAt = Date.now()
    t.equal(await worker.stop(), 0)
    times.push(Date.now() - toldAt)
    t.strictSame(await shop.running(), [], 'nothing is held')
  }
  const worker = keep(t, 'worker/main.ts', shop.env)
  await until(shop.isSettled, 'all is done', 120_000)
  await shop.expectOnce()
  t.equal((await shop.attempts()).most, 1, 'no attempt was lost')
  const { max } = report(t, 'from SIGTERM to the end', times)
  t.ok(max < 25_000, 'before the host kills it')
  t.equal(await worker.stop(), 0)
})
