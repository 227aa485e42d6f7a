import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { fileDatabase, testEnvironment, useOwnDatabase } from '../../support/core/database.ts'
import { hostMemory, mebibytesOf, processorMsOf } from '../../support/core/memory.ts'
import { startProcess } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { readImport, uploadImport } from '../../support/make/imports.ts'
import { hostileFiles } from './hostile-files.ts'

useOwnDatabase()

/** Of processor time, because other tests run at the same time. */
const maxMs = 5_000
const maxMebibytes = 300

/** The most memory that a process has held, in MiB. */
const peakOf = (pid: number | undefined) => mebibytesOf(pid, 'VmHWM')

t.test(
  'a worker answers each hostile file within 5 s of processor time, with a reason, in less than 300 MiB',
  {
    skip: process.platform !== 'linux' && 'the test reads the memory of a process from /proc',
  },
  async (t) => {
    const { db, alice } = await startApp(t)
    await db.query(sql.typeAlias('void')`delete from worker_instance`)
    const env = testEnvironment(await fileDatabase(), { LOG_LEVEL: 'info', ...hostMemory })
    const files = await hostileFiles()
    const worker = startProcess(t, 'worker/main.ts', env)
    const first = await uploadImport(alice, 'costs.csv', 'SKU,Average cost\nSKU-1,2')
    await alice.post(`/api/imports/${first.id}/read`)
    await until(async () => (await readImport(alice, first.id)).state === 'ready', 'the worker works')
    t.comment(`a small file: at most ${Math.round(peakOf(worker.child.pid))} MiB`)
    for (const { name, bytes, expected } of files) {
      const { id } = await uploadImport(alice, name, bytes)
      const before = processorMsOf(worker.child.pid)
      await alice.post(`/api/imports/${id}/read`)
      await until(async () => {
        await sleep(10)
        return !['reading', 'checking'].includes((await readImport(alice, id)).state)
      }, `${name} is read and run dry, or refused`)
      const ms = processorMsOf(worker.child.pid) - before
      const { state, error, sheets } = await readImport(alice, id)
      t.comment(
        `${name}: ${ms} ms, at most ${Math.round(peakOf(worker.child.pid))} MiB so far: ${error || state}`,
      )
      t.ok(ms < maxMs, `${name}: ${ms} ms`)
      t.match({ state, error, sheets }, expected, name)
    }
    const peak = peakOf(worker.child.pid)
    t.ok(peak < maxMebibytes, `the whole worker held at most ${Math.round(peak)} MiB`)
  },
)
