import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { captureLog, startApp } from '../support/core/app.ts'
import {
  databasePassword,
  testAccessToken,
  testEnvironment,
  testKeys,
  useOwnDatabase,
} from '../support/core/database.ts'
import { findLeaks, outputFile } from '../support/core/outputs.ts'
import { startProcess } from '../support/core/processes.ts'

useOwnDatabase()

const root = fileURLToPath(new URL('../..', import.meta.url))
const recorded = () => readFileSync(outputFile, 'utf8')

t.test('the output of everything that tests start is recorded for the leak search', async (t) => {
  const { alice } = await startApp(t)
  await alice.get('/api/suppliers/4711')
  t.match(recorded(), '"route":"/api/suppliers/:id","status":404', 'the log of an app')

  const { log } = await captureLog()
  log.info('a line in a captured log')
  t.match(recorded(), 'a line in a captured log')

  const bad = startProcess(t, 'api/server.ts', testEnvironment('nowhere'))
  t.equal(await bad.ended, 1)
  t.match(recorded(), 'DATABASE_URL must be', 'the output of a process')
})

t.test('no test creates a log outside the leak search', async (t) => {
  const own = globSync('test/**/*.ts', { cwd: root }).filter((file) =>
    /createLog\(/.test(readFileSync(`${root}${file}`, 'utf8')),
  )
  t.strictSame(own.sort(), [
    'test/shared/telemetry/log.test.ts',
    'test/support/core/app.ts',
    'test/support/core/outputs.ts',
  ])
})

t.test('the leak search finds a secret in one line of one output', async (t) => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
  const secrets = {
    PLATFORM_API_SECRET: testKeys.PLATFORM_API_SECRET,
    TOKEN_ENCRYPTION_KEYS: testKeys.TOKEN_ENCRYPTION_KEYS,
    POSTMARK_SERVER_TOKEN: testKeys.POSTMARK_SERVER_TOKEN,
    'an access token': testAccessToken,
    'a session token': jwt,
    'a token of the simulator': `at_${'0f'.repeat(16)}`,
    'the password of the database': `postgres://quartermaster:${databasePassword}@127.0.0.1`,
    'a planted secret': 'planted-somewhere',
  }
  const clean = '{"level":30,"msg":"request","route":"/api/suppliers"}\n'
  for (const [name, secret] of Object.entries(secrets)) {
    for (const spelling of [secret, encodeURIComponent(secret), JSON.stringify({ a: { b: secret } })]) {
      const folder = t.testdir({
        '1.txt': clean,
        '2.txt': `${clean}{"msg":"the value ${spelling}."}\n${clean}`,
      })
      t.match(findLeaks(folder), [{ file: '2.txt', secret: name, line: /the value/ }], name)
    }
  }
  const basic = Buffer.from(testKeys.POSTMARK_SERVER_TOKEN).toString('base64')
  t.match(findLeaks(t.testdir({ '1.txt': `basic ${basic}` })), [{ secret: 'POSTMARK_SERVER_TOKEN' }])
})

/** Runs the leak search as the end of a test run does, in a separate process. */
function search(folder: string) {
  const script = fileURLToPath(new URL('../support/core/outputs.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  return { status, stderr }
}

t.test('only a leak fails the run', async (t) => {
  const clean = `${testKeys.PLATFORM_API_KEY} [secret] Bearer [secret] planted\n`
  t.strictSame(search(t.testdir({ '1.txt': clean })), { status: 0, stderr: '' })
  const { status, stderr } = search(t.testdir({ '1.txt': clean, '2.txt': `${clean}planted-here\n` }))
  t.equal(status, 1)
  t.equal(stderr, 'LEAK: a planted secret in 2.txt: planted-here\n')
})
