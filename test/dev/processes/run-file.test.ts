import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { endProcess, identify, isRunning, type ProcessId } from '../../../dev/processes/processes.ts'
import { claimFolder } from '../../../dev/processes/run-file.ts'

const nobody: ProcessId = { pid: 2 ** 22 + 1, startedAt: 'never' }

/** A process that leads its own group, as those of `npm start` do. With `stubborn` it does not end when asked to. */
async function makeProcess(t: Test, stubborn = false): Promise<ProcessId> {
  const script = `${stubborn ? "process.on('SIGTERM', () => {});" : ''} console.log('up'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const id = await identify(child.pid ?? 0)
  if (!id) throw new Error('It is not running')
  return id
}

t.test('a process is known by its number and its start', async (t) => {
  const id = await makeProcess(t)
  t.ok(await isRunning(id))
  t.notOk(await isRunning({ ...id, startedAt: 'another time' }))
  t.notOk(await isRunning(nobody))
})

t.test('a process ends, whether it wants to or not', async (t) => {
  for (const stubborn of [false, true]) {
    const id = await makeProcess(t, stubborn)
    await endProcess(id, stubborn ? 200 : 10_000)
    t.notOk(await isRunning(id))
  }
  await t.resolves(endProcess(nobody))
})

t.test('what a killed run left behind is ended, and a number given to another is not touched', async (t) => {
  const dataDir = t.testdir()
  const left = await makeProcess(t)
  const stranger = await makeProcess(t)
  const children = [left, { ...stranger, startedAt: 'another time' }]
  writeFileSync(join(dataDir, 'run.json'), JSON.stringify({ starter: nobody, children }))

  const runFile = await claimFolder(dataDir)
  t.notOk(await isRunning(left))
  t.ok(await isRunning(stranger))
  runFile.remove()
  t.notOk(existsSync(join(dataDir, 'run.json')))
})

t.test('a folder in use is refused, and its run file stays', async (t) => {
  const dataDir = t.testdir()
  const starter = await makeProcess(t)
  const text = JSON.stringify({ starter, children: [] })
  writeFileSync(join(dataDir, 'run.json'), text)
  await t.rejects(claimFolder(dataDir), new RegExp(`process ${starter.pid}\\) already works in`))
  t.equal(readFileSync(join(dataDir, 'run.json'), 'utf8'), text)
})

t.test('of two who claim a folder at once, one gets it', async (t) => {
  const dataDir = t.testdir()
  const results = await Promise.allSettled([claimFolder(dataDir), claimFolder(dataDir)])
  t.strictSame(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

t.test('a run file that makes no sense is replaced', async (t) => {
  const dataDir = t.testdir({ 'run.json': '{"star' })
  const runFile = await claimFolder(dataDir)
  runFile.setChildren([{ name: 'web', ...nobody }])
  t.match(JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')), {
    starter: { pid: process.pid },
    children: [{ name: 'web' }],
  })
})
