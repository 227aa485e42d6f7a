import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../../../api/app.ts'
import type { DatabasePool } from '../../../shared/db/db.ts'
import { createPdfRenderer } from '../../../shared/pdf/renderer.ts'
import type { Failure } from '../../../shared/schemas/common.ts'
import { createLog, type Log } from '../../../shared/telemetry/log.ts'
import { fileDatabase, openTestDb, testConfig } from './database.ts'
import { keepOutput, keptLog } from './outputs.ts'
import { makePerson, type Person } from './people.ts'

export type TestApp = { app: FastifyInstance; db: DatabasePool; url: string; alice: Person; mallory: Person }

/** The web process without a socket on the file's database, and two people in two shops. */
export async function startApp(
  t: Test,
  {
    env = {},
    log,
    isStopping = () => false,
    poolSize,
  }: { env?: Record<string, string>; log?: Log; isStopping?: () => boolean; poolSize?: number } = {},
): Promise<TestApp> {
  const { db, url } = await openTestDb(t, poolSize)
  const config = testConfig(url, env)
  const pdf = createPdfRenderer()
  const app = await buildApp({
    config,
    db,
    log: log ?? keptLog(config, 'web'),
    pdf,
    isStopping,
  })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
  })
  const alice = await makePerson(app, db, 'alice')
  const mallory = await makePerson(app, db, 'mallory')
  return { app, db, url, alice, mallory }
}

export type CapturedLog = {
  log: Log
  text: () => string
  lines: () => Record<string, unknown>[]
}

/** The log of a process as it would reach the host, kept to be read. */
export async function captureLog(env: Record<string, string> = {}): Promise<CapturedLog> {
  const written: string[] = []
  const config = testConfig(await fileDatabase(), { LOG_LEVEL: 'info', ...env })
  const text = () => written.join('')
  return {
    log: createLog(config, 'web', {
      write: (line) => {
        written.push(line)
        keepOutput(line)
      },
    }),
    text,
    lines: () => text().split('\n').filter(Boolean).map(readLine),
  }
}

function readLine(line: string): Record<string, unknown> {
  return JSON.parse(line)
}

/** The one shape of every failure; answers its error for a closer look. */
export function expectFailure(
  t: Test,
  answer: LightMyRequestResponse,
  status: number,
  code: string,
  hint = `answers ${status} ${code}`,
): Failure['error'] {
  const body: Failure = answer.json()
  const { details = [], ...error } = body.error ?? {}
  const found = {
    status: answer.statusCode,
    type: answer.headers['content-type'],
    keys: [...Object.keys(body), ...Object.keys(error)].sort().join(),
    body,
    pointers: details.every(({ path, message }) => /^(\/|$)/.test(path) && message !== ''),
  }
  const wanted = {
    status,
    type: /^application\/json/,
    keys: 'code,error,message,requestId,success',
    body: { success: false, error: { code, message: /^[A-Z].*\.$/, requestId: /^[\w-]{8,64}$/ } },
    pointers: true,
  }
  t.match(found, wanted, hint)
  return body.error
}
