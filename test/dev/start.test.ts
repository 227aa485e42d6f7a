import { execFile } from 'node:child_process'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { isRunning } from '../../dev/processes/processes.ts'
import {
  children,
  eventually,
  killPostgres,
  makeDataDir,
  postgresPort,
  postmasterFile,
  type Run,
  run,
  untilUp,
  untilWorker,
} from './system.ts'

const shell = promisify(execFile)
const getText = async (url: string) => (await fetch(url)).text()

/** Runs the printed command until it succeeds: the order's earlier mail may still be pending. */
async function runCommand(command: string, started: Run): Promise<void> {
  await eventually(async () => {
    const { stdout } = await shell('sh', ['-c', command])
    return JSON.parse(stdout).success || undefined
  }, started)
}

/** Waits for `count` mails and returns the addresses of their pages, newest first. */
async function untilMails(simulatorUrl: string, count: number, started: Run): Promise<string[]> {
  return eventually(async () => {
    const links = [...(await getText(`${simulatorUrl}/inbox`)).matchAll(/href="(\/inbox\/[^"?]+)"/g)]
    return links.length >= count ? links.map(([, path]) => `${simulatorUrl}${path}`) : undefined
  }, started)
}

async function listSuppliers(webUrl: string, simulatorUrl: string): Promise<unknown[]> {
  const token = await getText(`${simulatorUrl}/shops/demo.myshop.example/session-token.txt`)
  const response = await fetch(`${webUrl}/api/suppliers`, { headers: { authorization: `Bearer ${token}` } })
  return JSON.parse(await response.text()).data
}

async function expectStopped(
  t: Test,
  started: Run,
  processes: ReturnType<typeof children>,
  dataDir: string,
  status = 0,
) {
  t.equal(await started.ended, status)
  for (const process of processes) t.notOk(await isRunning(process), process.name)
  t.notOk(existsSync(await postmasterFile(dataDir)))
  t.notOk(existsSync(join(dataDir, 'run.json')))
}

t.test('npm start, from the first start to a reset', async (whole) => {
  const dataDir = await makeDataDir(whole)

  let started = run(whole, dataDir)
  let up = await untilUp(started)
  let processes = children(dataDir)
  whole.match(started.output(), 'with a new demo shop')
  whole.strictSame(processes.map(({ name }) => name).sort(), ['web', 'worker'])

  await whole.test('the printed command mails an order with its PDF', async (t) => {
    t.equal((await untilMails(up.simulatorUrl, 2, started)).length, 2, 'the demo orders are mailed')
    await runCommand(up.command, started)
    const [newest] = await untilMails(up.simulatorUrl, 3, started)
    const attachment = await fetch(`${newest}/attachments/1`)
    t.equal(attachment.headers.get('content-type'), 'application/pdf')
    t.match(await attachment.text(), /^%PDF-/)
  })

  await whole.test('no secret is printed', async (t) => {
    const secrets = Object.values<string>(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')))
    for (const secret of secrets) t.notOk(started.output().includes(secret))
  })

  await whole.test('a killed worker is restarted, and the command works again', async (t) => {
    const worker = await untilWorker(dataDir, started)
    process.kill(worker.pid, 'SIGKILL')
    await untilWorker(dataDir, started, worker)
    processes = children(dataDir)
    t.match(started.output(), 'worker  was killed by SIGKILL; restarting in 0.5 s')
    await runCommand(up.command, started)
    t.equal((await untilMails(up.simulatorUrl, 4, started)).length, 4)
  })

  await whole.test('a second npm start in the same folder fails with a message', async (t) => {
    const second = run(t, dataDir)
    t.equal(await second.ended, 1)
    t.match(second.output(), `Another npm start (process ${started.process.pid}) already uses`)
    t.notMatch(second.output(), /^ +at /m)
  })

  await whole.test('a port in use is reported, and no process stays', async (t) => {
    const otherFolder = await makeDataDir(t)
    for (const [variable, url] of [
      ['PORT', up.webUrl],
      ['SIMULATOR_PORT', up.simulatorUrl],
    ] as const) {
      const { port } = new URL(url)
      const other = run(t, otherFolder, { env: { [variable]: port } })
      t.equal(await other.ended, 1)
      t.match(other.output(), `Port ${port} is in use by another program: choose another with ${variable}`)
      t.notMatch(other.output(), /^ +at /m)
      t.notOk(existsSync(join(otherFolder, 'run.json')))
      t.notOk(existsSync(join(otherFolder, 'postgres')))
    }
  })

  started.process.kill('SIGINT')
  // npm forwards the terminal's Ctrl-C: the repeat is not a second one
  started.process.kill('SIGINT')
  await expectStopped(whole, started, processes, dataDir)

  await whole.test('the next start finds the data', async (t) => {
    started = run(whole, dataDir)
    up = await untilUp(started)
    t.notMatch(started.output(), 'new demo shop')
    t.equal((await untilMails(up.simulatorUrl, 4, started)).length, 4)
    t.equal((await listSuppliers(up.webUrl, up.simulatorUrl)).length, 5)
  })

  await whole.test('the next start stops the processes of a killed one', async (t) => {
    const orphans = children(dataDir)
    started.process.kill('SIGKILL')
    await started.ended
    started = run(whole, dataDir)
    up = await untilUp(started)
    for (const orphan of orphans) t.notOk(await isRunning(orphan), orphan.name)
    await runCommand(up.command, started)
    t.equal((await untilMails(up.simulatorUrl, 5, started)).length, 5)
    processes = children(dataDir)
    started.process.kill('SIGHUP')
    await expectStopped(t, started, processes, dataDir)
  })

  await whole.test('--reset starts with a new demo shop', async (t) => {
    started = run(whole, dataDir, { args: ['--reset'] })
    up = await untilUp(started)
    t.match(started.output(), 'with a new demo shop')
    t.equal((await untilMails(up.simulatorUrl, 2, started)).length, 2)
  })

  await whole.test('a killed Postgres is restarted on its port, and the system works again', async (t) => {
    const port = await postgresPort(dataDir)
    const line = `Postgres has stopped; restarting it on port ${port}\n`
    await killPostgres(dataDir)
    await eventually(() => started.output().includes(line) || undefined, started)
    await runCommand(up.command, started)
    t.equal((await untilMails(up.simulatorUrl, 3, started)).length, 3)
    t.equal(started.output().split('Postgres has stopped').length, 2, 'the message is printed once')
    t.equal(await postgresPort(dataDir), port)
  })

  await whole.test('a second Ctrl-C stops immediately', async (t) => {
    // Postgres was killed just before, so the worker may be restarting.
    const worker = await untilWorker(dataDir, started)
    processes = children(dataDir)
    process.kill(worker.pid, 'SIGSTOP')
    started.process.kill('SIGINT')
    await eventually(() => started.output().includes('Stopping') || undefined, started)
    await sleep(1_000)
    t.equal(started.process.exitCode, null, 'the first Ctrl-C waits for the worker')
    started.process.kill('SIGINT')
    await expectStopped(t, started, processes, dataDir, 1)
  })

  await whole.test('Ctrl-C stops everything when Postgres cannot restart', async (t) => {
    started = run(whole, dataDir)
    await untilUp(started)
    processes = children(dataDir)
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
