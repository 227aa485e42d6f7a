import { existsSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { isRunning } from '../../../dev/processes/processes.ts'
import {
  children,
  eventually,
  expectStopped,
  killPostgres,
  makeDataDir,
  postgresPort,
  postmasterFile,
  run,
  runCommand,
  untilMails,
  untilUp,
  untilWorker,
} from '../../dev/system.ts'

t.test('npm start survives killed processes, and stops whatever has happened', async (whole) => {
  const dataDir = await makeDataDir(whole)

  let started = run(whole, dataDir)
  let up = await untilUp(started)

  await whole.test('a killed worker is restarted, and the command works again', async (t) => {
    await untilMails(up.simulatorUrl, 2, started)
    const worker = await untilWorker(dataDir, started)
    process.kill(worker.pid, 'SIGKILL')
    await untilWorker(dataDir, started, worker)
    t.match(started.output(), 'worker  was killed by SIGKILL; restarting in 0.5 s')
    await runCommand(up.command, started)
    t.equal((await untilMails(up.simulatorUrl, 3, started)).length, 3)
  })

  await whole.test('the next start stops the processes of a killed one', async (t) => {
    const orphans = children(dataDir)
    started.process.kill('SIGKILL')
    await started.ended
    started = run(whole, dataDir)
    up = await untilUp(started)
    for (const orphan of orphans) t.notOk(await isRunning(orphan), orphan.name)
    await runCommand(up.command, started)
    t.equal((await untilMails(up.simulatorUrl, 4, started)).length, 4)
  })

  await whole.test('a killed Postgres is restarted on its port, and the system works again', async (t) => {
    const port = await postgresPort(dataDir)
    const line = `Postgres has stopped; restarting it on port ${port}\n`
    await killPostgres(dataDir)
    await eventually(() => started.output().includes(line) || undefined, started)
    await runCommand(up.command, started)
    t.equal((await untilMails(up.simulatorUrl, 5, started)).length, 5)
    t.equal(started.output().split('Postgres has stopped').length, 2, 'the message is printed once')
    t.equal(await postgresPort(dataDir), port)
  })

  await whole.test('a second Ctrl-C stops immediately', async (t) => {
    // Postgres was killed just before, so the worker may be restarting.
    const worker = await untilWorker(dataDir, started)
    const processes = children(dataDir)
    process.kill(worker.pid, 'SIGSTOP')
    started.process.kill('SIGINT')
    await eventually(() => started.output().includes('Stopping') || undefined, started)
    await sleep(1_000)
    t.equal(started.process.exitCode, null, 'the first Ctrl-C waits for the worker')
    started.process.kill('SIGINT')
    await expectStopped(t, started, processes, dataDir, 1)
  })

  await whole.test('--reset starts with a new demo shop', async (t) => {
    started = run(whole, dataDir, { args: ['--reset'] })
    up = await untilUp(started)
    t.match(started.output(), 'with a new demo shop')
    t.equal((await untilMails(up.simulatorUrl, 2, started)).length, 2)
  })

  await whole.test('Ctrl-C stops everything when Postgres cannot restart', async (t) => {
    const processes = children(dataDir)
    const control = join(dirname(await postmasterFile(dataDir)), 'global', 'pg_control')
    renameSync(control, `${control}.away`)
    await killPostgres(dataDir)
    await eventually(() => started.output().includes('Postgres did not start: see') || undefined, started)
    started.process.kill('SIGINT')
    t.equal(await started.ended, 0)
    for (const process of processes) t.notOk(await isRunning(process), process.name)
    t.notOk(existsSync(join(dataDir, 'run.json')))
  })
})

t.test('Ctrl-C works before all processes have started', async (t) => {
  const dataDir = await makeDataDir(t)
  const started = run(t, dataDir)
  const folder = dirname(await postmasterFile(dataDir))
  await eventually(() => existsSync(folder) || undefined, started)
  started.process.kill('SIGINT')
  await expectStopped(t, started, [], dataDir)
})
