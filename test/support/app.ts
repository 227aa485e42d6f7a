import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../../api/app.ts'
import type { DatabasePool } from '../../shared/db.ts'
import { createLog, type Log } from '../../shared/log.ts'
import { createPdfRenderer } from '../../shared/pdf/renderer.ts'
import { openTestDb, testConfig } from './database.ts'
import { makePerson, type Person } from './people.ts'

export type TestApp = { app: FastifyInstance; db: DatabasePool; url: string; alice: Person; mallory: Person }

/** The web process without a socket on the file's database, and two people in two shops. */
export async function startApp(
  t: Test,
  { env = {}, log }: { env?: Record<string, string>; log?: Log } = {},
): Promise<TestApp> {
  const { db, url } = await openTestDb(t)
  const config = testConfig(url, env)
  const pdf = createPdfRenderer()
  const app = await buildApp({
    config,
    db,
    log: log ?? createLog(config, 'web'),
    pdf,
    isStopping: () => false,
  })
  t.teardown(async () => {
    await app.close()
    await pdf.close()
  })
  const alice = await makePerson(app, db, 'alice')
  const mallory = await makePerson(app, db, 'mallory')
  return { app, db, url, alice, mallory }
}
