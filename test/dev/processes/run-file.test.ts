import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { identify, isRunning, type ProcessId, stopProcess } from '../../../dev/processes/processes.ts'
import { claimFolder } from '../../../dev/processes/run-file.ts'

const missingProcess: ProcessId = { pid: 2 ** 22 + 1, startedAt: 'never' }

/** Starts a process that leads its own group, as those of `npm start` do. A `stubborn` one ignores SIGTERM. */
async function makeProcess(t: Test, stubborn = false): Promise<ProcessId> {
  const script = `${stubborn ? "process.on('SIGTERM', () => {});" : ''} console.log('up'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const id = await identify(child.pid ?? 0)
  if (!id) throw new Error('The process is not running')
  return id
}

t.test('a process is identified by its id and its start time', async (t) => {
  const id = await makeProcess(t)
  t.ok(await isRunning(id))
  t.notOk(await isRunning({ ...id, startedAt: 'another time' }))
  t.notOk(await isRunning(missingProcess))
})

t.test('stopProcess ends a process that ignores SIGTERM, too', async (t) => {
  for (const stubborn of [false, true]) {
    const id = await makeProcess(t, stubborn)
    await stopProcess(id, stubborn ? 200 : 10_000)
    t.notOk(await isRunning(id))
  }
  await t.resolves(stopProcess(missingProcess))
})

t.test('processes of a killed run are stopped, but not another process with a reused id', async (t) => {
  const dataDir = t.testdir()
  const leftover = await makeProcess(t)
  const otherProcess = await makeProcess(t)
  const children = [leftover, { ...otherProcess, startedAt: 'another time' }]
  writeFileSync(join(dataDir, 'run.json'), JSON.stringify({ starter: missingProcess, children }))

  const runFile = await claimFolder(dataDir)
  t.notOk(await isRunning(leftover))
  t.ok(await isRunning(otherProcess))
  runFile.remove()
  t.notOk(existsSync(join(dataDir, 'run.json')))
})

t.test('a folder in use is refused, and its run file stays unchanged', async (t) => {
  const dataDir = t.testdir()
  const starter = await makeProcess(t)
  const text = JSON.stringify({ starter, children: [] })
  writeFileSync(join(dataDir, 'run.json'), text)
  await t.rejects(claimFolder(dataDir), new RegExp(`process ${starter.pid}\\) already uses`))
  t.equal(readFileSync(join(dataDir, 'run.json'), 'utf8'), text)
})

t.test('of two concurrent claims of a folder one succeeds', async (t) => {
  const dataDir = t.testdir()
  const results = await Promise.allSettled([claimFolder(dataDir), claimFolder(dataDir)])
  t.strictSame(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

t.test('an unreadable run file is replaced', async (t) => {
  const dataDir = t.testdir({ 'run.json': '{"star' })
  const runFile = await claimFolder(dataDir)
  runFile.setChildren([{ name: 'web', ...missingProcess }])
  t.match(JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')), {
    starter: { pid: process.pid },
    children: [{ name: 'web' }],
  })
})
