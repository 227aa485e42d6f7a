import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { sql } from '../../../shared/db/db.ts'
import { startApp } from '../../support/core/app.ts'
import { fileDatabase, testEnvironment, useOwnDatabase } from '../../support/core/database.ts'
import { deadline } from '../../support/core/machine.ts'
import { hostMemory, mebibytesOf } from '../../support/core/memory.ts'
import { startProcess, startSupervised } from '../../support/core/processes.ts'
import { until } from '../../support/core/until.ts'
import { rounds } from '../../support/faults/faults.ts'
import { makeExport, openExport, readExport, sha256 } from '../../support/make/exports.ts'
import { makeStock } from '../../support/make/stock.ts'

useOwnDatabase()

const movements = rounds(300_000, 100_000)
// a statement may take 8 s, also on a busy machine
const perInsert = 10_000
t.test(
  'a killed worker leaves one whole file of another worker, in bounded memory',
  {
    skip: process.platform !== 'linux' && 'the test reads the memory of a process from /proc',
  },
  async (t) => {
    const { db, alice } = await startApp(t)
    const { shopId } = alice
    await makeStock(db, alice)
    for (let inserted = 0; inserted < movements; inserted += perInsert) {
      await db.transaction(async (tx) => {
        // without checking for each row that the level exists
        await tx.query(sql.typeAlias('void')`set local session_replication_role = replica`)
        await tx.query(sql.typeAlias('void')`
          insert into stock_movement (shop_id, variant_id, location_id, previous_quantity, new_quantity, kind, reference)
          select l.shop_id, l.variant_id, l.location_id, n, n + 1, 'platform', md5(random()::text || n)
          from stock_level l, generate_series(1, ${perInsert}::int) n
          where l.shop_id = ${shopId}
        `)
      })
    }
    const { id } = await makeExport(alice)
    const env = testEnvironment(await fileDatabase(), hostMemory)
    const first = startProcess(t, 'worker/main.ts', env)
    // polls more often than `until`, in whose pauses the worker may finish the export
    const isLate = AbortSignal.timeout(deadline(150_000))
    while ((await readExport(alice, id)).progress === 0) {
      if (isLate.aborted) throw new Error('The worker has stored no part.')
      await sleep(10)
    }
    first.kill('SIGKILL')
    await first.ended
    t.match(await readExport(alice, id), { state: 'running' }, 'the worker died while it wrote')

    const second = startSupervised(t, 'worker/main.ts', env)
    let most = 0
    const isDone = async () => {
      most = Math.max(most, mebibytesOf(second.current().child.pid, 'VmRSS'))
      await sleep(20)
      return (await readExport(alice, id)).state === 'done'
    }
    await until(isDone, 'another worker writes the file', 400_000)
    t.ok(most < 300, `the whole worker has at most ${Math.round(most)} MiB`)
    const { manifest, files, list } = await openExport(alice, id)
    for (const { path, sha256: hash } of manifest.files) {
      t.equal(sha256(files.get(path) ?? Buffer.alloc(0)), hash, path)
    }
    t.equal(list('stock-movements').length, movements + 1, 'every movement once')
  },
)
