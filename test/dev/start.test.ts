import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  children,
  expectStopped,
  getText,
  makeDataDir,
  run,
  runCommand,
  untilMails,
  untilUp,
} from './system.ts'

/** As the admin lists them. */
async function listSuppliers(webUrl: string, simulatorUrl: string): Promise<unknown[]> {
  const token = await getText(`${simulatorUrl}/shops/demo.myshop.example/session-token.txt`)
  const response = await fetch(`${webUrl}/api/suppliers`, { headers: { authorization: `Bearer ${token}` } })
  return JSON.parse(await response.text()).data
}

t.test('npm start, and a second start with the data of the first', async (whole) => {
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
    t.equal((await untilMails(up.simulatorUrl, 3, started)).length, 3)
    t.equal((await listSuppliers(up.webUrl, up.simulatorUrl)).length, 5)
    processes = children(dataDir)
    started.process.kill('SIGHUP')
    await expectStopped(t, started, processes, dataDir)
  })
})
