import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import file, { type Test } from 'tap'
import { buildApp } from '../../../api/app.ts'
import type { DatabasePool } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import type { Failure } from '../../../shared/schemas/common.ts'
import { createLog, type Log } from '../../../shared/telemetry/log.ts'
import { fileDatabase, hasOwnDatabase, openTestDb, testConfig } from './database.ts'
import { recordedLog, recordOutput } from './outputs.ts'
import { makePerson, type Person } from './people.ts'
import { idleTimeoutMs, processEnd } from './shared.ts'

export type TestApp = { app: FastifyInstance; db: DatabasePool; url: string; alice: Person; mallory: Person }

export type AppOptions = {
  env?: Record<string, string>
  log?: Log
  isStopping?: () => boolean
  poolSize?: number
  handlerTimeoutMs?: number
}

/**
 * Starts the web app on the file's database, with two people in two new shops. Tests that pass no options share an app: they open its
 * socket with `listen`. A test that closes its app or pool, or counts its connections, passes `{}`.
 */
export async function startApp(t: Test, options?: AppOptions): Promise<TestApp> {
  const { app, db, url } = await (options ? buildTestApp(t, options) : fileApp())
  const alice = await makePerson(app, db, 'alice')
  const mallory = await makePerson(app, db, 'mallory')
  return { app, db, url, alice, mallory }
}

type BuiltApp = Pick<TestApp, 'app' | 'db' | 'url'>

let shared: Promise<BuiltApp> | undefined
let own: Promise<BuiltApp> | undefined

/** The app on the file's database: that of the process, unless the file has its own. */
function fileApp(): Promise<BuiltApp> {
  if (!hasOwnDatabase()) {
    shared ??= buildTestApp(processEnd)
    return shared
  }
  if (!own) {
    own = buildTestApp(file)
    // another file may follow in this process
    file.teardown(() => {
      own = undefined
    })
  }
  return own
}

const origins = new WeakMap<FastifyInstance, Promise<string>>()

/** The address where an app listens, from the first call on: tests that share the app share its port. */
export function listen(app: FastifyInstance): Promise<string> {
  const origin = origins.get(app) ?? app.listen({ host: '127.0.0.1', port: 0 })
  origins.set(app, origin)
  return origin
}

async function buildTestApp(
  t: Pick<Test, 'teardown'>,
  // beside other tests any request may wait for longer than the default
  { env = {}, log, isStopping = () => false, poolSize, handlerTimeoutMs = 120_000 }: AppOptions = {},
): Promise<BuiltApp> {
  const { db, url } = await openTestDb(t, poolSize)
  const config = testConfig(url, env)
  const pdf = createPdfRenderer({ idleTimeoutMs })
  const app = await buildApp({
    ...{ config, db, pdf, isStopping, handlerTimeoutMs },
    log: log ?? recordedLog(config, 'web'),
  })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
  })
  return { app, db, url }
}

export type CapturedLog = {
  log: Log
  text: () => string
  lines: () => Record<string, unknown>[]
}

/** The log of a process in its production format, recorded for assertions. */
export async function captureLog(env: Record<string, string> = {}): Promise<CapturedLog> {
  const recorded: string[] = []
  const config = testConfig(await fileDatabase(), { LOG_LEVEL: 'info', ...env })
  const text = () => recorded.join('')
  return {
    log: createLog(config, 'web', {
      write: (line) => {
        recorded.push(line)
        recordOutput(line)
      },
    }),
    text,
    lines: () => text().split('\n').filter(Boolean).map(readLine),
  }
}

function readLine(line: string): Record<string, unknown> {
  return JSON.parse(line)
}

/** Checks the common format of an error response. Returns the error for further assertions. */
export function expectFailure(
  t: Test,
  response: LightMyRequestResponse,
  status: number,
  code: string,
  hint = `returns ${status} ${code}`,
): Failure['error'] {
  const body: Failure = response.json()
  const { details = [], ...error } = body.error ?? {}
  const actual = {
    status: response.statusCode,
    type: response.headers['content-type'],
    keys: [...Object.keys(body), ...Object.keys(error)].sort().join(),
    body,
    pointers: details.every(({ path, message }) => /^(\/|$)/.test(path) && message !== ''),
  }
  const expected = {
    status,
    type: /^application\/json/,
    keys: 'code,error,message,requestId,success',
    body: { success: false, error: { code, message: /^[A-Z].*\.$/, requestId: /^[\w-]{8,64}$/ } },
    pointers: true,
  }
  t.match(actual, expected, hint)
  return body.error
}
