import { openDb } from '../shared/db/db.ts'
import { untilConnected } from '../shared/db/first-connection.ts'
import { requireKnownSchema, warnOfLostSettings } from '../shared/db/schema-state.ts'
import { watchProcess } from '../shared/domain/kit/operations/watch-process.ts'
import { createPdfRenderer } from '../shared/pdf/renderer.ts'
import { runProcess, type Start } from '../shared/process.ts'
import { createMetrics } from '../shared/telemetry/metrics.ts'
import { serveMetrics } from '../shared/telemetry/serve-metrics.ts'
import { buildApp } from './app.ts'

/** A request waits at most 2 s for a connection; when 200 requests wait, web answers the next ones with 503. */
const connectionQueue = { waitMs: 2_000, maxWaiting: 200 }

/** Starts web. Its stop function refuses new requests and finishes the running ones. */
const startWeb: Start = async (config, log, _fail, stopping) => {
  let isStopping = false
  const db = await openDb(config, config.WEB_POOL_SIZE, connectionQueue)
  await untilConnected(() => requireKnownSchema(db), log, { stopping })
  await warnOfLostSettings(db, log)
  const { DATABASE_READ_URL: replica } = config
  const readDb =
    replica && (await openDb({ ...config, DATABASE_URL: replica }, config.WEB_POOL_SIZE, connectionQueue))
  const pdf = createPdfRenderer({ timeoutMs: 8_000, maxQueue: 20 })
  const metrics = createMetrics()
  watchProcess(metrics, db)
  const closeMetrics = await serveMetrics(config, metrics, log)
  const app = await buildApp({
    ...{ config, db, log, pdf, metrics },
    ...(readDb && { readDb }),
    isStopping: () => isStopping,
  })
  await app.listen({ port: config.PORT, host: config.HOST })
  return async () => {
    isStopping = true
    await app.close()
    closeMetrics()
    await pdf.close()
    if (readDb) await readDb.end()
    await db.end()
  }
}

if (import.meta.main) await runProcess({ name: 'web', env: process.env, stopWithinMs: 10_000 }, startWeb)
